# The canonical form of a hand's whole state, which hashes and comparisons take.
from homegame_engine.hand_state cimport HandCore

cdef enum:
    HAND_ENCODING_VERSION = 1   # Of the form of a hand that uses nothing beyond plain hold'em.

# Equal states give equal bytes, and a form that has once been stored never changes.
cdef bytes encode_hand(const HandCore* h)
