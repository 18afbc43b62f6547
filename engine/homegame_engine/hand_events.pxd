# The records of one input as the values of events.py, complete, hidden cards included: only `view` hands them on.
from homegame_engine.hand_state cimport EventBuffer, HandCore

cdef tuple event_objects(const HandCore* h, const EventBuffer* events, int hand_number)
