# cython: language_level=3
"""What is chosen besides wagers, and the stub that new cards come from. See choices.pxd."""

from homegame_engine.betting cimport Action, Legal, REFUSE_UNKNOWN_ACTION
from homegame_engine.hand_state cimport EventBuffer, HandCore
from libc.stdint cimport int32_t
from libc.string cimport memset


cdef bint choice_begin(HandCore* h, EventBuffer* events) noexcept nogil:
    return False


cdef void choice_legal(const HandCore* h, int32_t seat, Legal* legal) noexcept nogil:
    memset(legal, 0, sizeof(Legal))


cdef int32_t choice_apply(HandCore* h, int32_t seat, const Action* action, EventBuffer* events) noexcept nogil:
    return REFUSE_UNKNOWN_ACTION


cdef void choice_timeout(const HandCore* h, int32_t seat, Action* action) noexcept nogil:
    memset(action, 0, sizeof(Action))


cdef void stub_prepare(HandCore* h, int32_t n_needed, EventBuffer* events) noexcept nogil:
    pass


cdef bint deal_shortage(HandCore* h, EventBuffer* events) noexcept nogil:
    return False
