# Dividing the pot by agreement of all live players. Rules: POT-AGR-01, POT-AGR-02.
from homegame_engine.hand_state cimport EventBuffer, HandCore
from libc.stdint cimport int32_t, int64_t

# A live seat names a division of the pot, n_seats amounts, or takes it back with NULL; once all live seats have named the same
# it is paid and the hand is over. Returns a Refusal; a refusal changes nothing.
cdef int32_t hand_agree(HandCore* h, int32_t seat, const int64_t* shares, EventBuffer* events) noexcept nogil
# The same for people's amounts, () to take back: what happened as values of events.py, without the records in `events`.
cdef tuple agree(HandCore* h, int32_t seat, object shares, EventBuffer* events)
# Pays a division to which the seats of `consenting` said yes. Raises RuleViolation.
cdef int32_t divide_by_consent(HandCore* h, object shares, object consenting, EventBuffer* events) except -1
