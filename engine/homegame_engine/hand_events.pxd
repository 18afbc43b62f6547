# The records of one input as the values of events.py, complete, hidden cards included: only `view` hands them on.
from homegame_engine.evaluator.ranking cimport RankingRule
from homegame_engine.hand_state cimport EventBuffer, HandCore
from libc.stdint cimport int32_t

# A rule of the core as `evaluator.rule.RankingRule`.
cdef object rule_object(const RankingRule* rule)
# The words for a seat's hand and the cards that play; ("", ()) while there are too few cards or unknown ones.
cdef tuple hand_words(const HandCore* h, int32_t seat)
cdef tuple event_objects(const HandCore* h, const EventBuffer* events, int hand_number)
