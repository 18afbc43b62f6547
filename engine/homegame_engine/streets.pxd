# How a betting round opens where no blind opens it: bring-ins, exposed hands, declarations, openers. Rules: GAME-ST, GAME-RZ,
# GAME-DECL-02, GAME-DECL-03, GAME-DC-06, GAME-DC-10, BET-LIM-04, RANK-UP.
from homegame_engine.hand_state cimport HandCore
from libc.stdint cimport int32_t

# Gives the first turn of the round at h.step. The street has begun and nobody has put anything in.
cdef void open_street(HandCore* h) noexcept nogil
# Whether the round at h.step opens by cards that nobody knows yet.
cdef bint opener_is_unknown(const HandCore* h) noexcept nogil
# Whether the declarations have left nothing to bet for, so that the round at `step` is not played (GAME-DECL-03).
cdef bint halves_are_settled(const HandCore* h, int32_t step) noexcept nogil
# Whether the cards that are known let `seat` open the round at h.step, which waits for cards that nobody knows.
cdef bint may_open_unseen(const HandCore* h, int32_t seat) noexcept nogil
