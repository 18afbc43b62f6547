# Who has to kill the next hand: a pure transition from hand to hand. Rules: KILL-01 to KILL-07.
from libc.stdint cimport int32_t, int64_t, uint32_t

cdef enum Kill:
    KILL_OFF = 0
    KILL_HALF = 1
    KILL_FULL = 2

# The kill marker between two hands.
cdef struct KillState:
    int32_t leg_seat     # Who won the last pot, or shared it and had the leg; -1 where the marker is neutral (KILL-02, KILL-03).
    int32_t killer_seat  # Who has to kill the next hand, -1 for nobody.

# What one completed hand says to the marker.
cdef struct KillResult:
    uint32_t winners_mask  # Seats that won any part of the pot.
    int32_t killer_seat    # Who killed this hand, -1 for nobody.
    int64_t pot_chips      # The whole pot, refunds taken off.
    int64_t big_blind_chips
    uint32_t won_bet       # 1: a sole winner gained a full bet or more beyond the blinds (KILL-02).
    uint32_t is_hi_lo      # 1: halves are played for, so that KILL-07 decides.

cdef KillState kill_neutral() noexcept nogil
# The marker after a hand.
cdef KillState kill_after(KillState before, const KillResult* result) noexcept nogil
# A blind or a limit bet of a killed hand, rounded down to the unit (KILL-01).
cdef int64_t killed_size(int32_t kill, int64_t chips, int64_t unit_chips) noexcept nogil
