# cython: language_level=3
"""What the core recorded, as the values of events.py. See hand_events.pxd. Decides nothing and hides nothing."""

from homegame_engine.evaluator.ranking cimport RANKING_NONE, RankingRule
from homegame_engine.hand_state cimport (
    BLIND_BIG,
    BLIND_KILL,
    BLIND_SMALL,
    DECLARED_BOTH,
    DECLARED_HIGH,
    DECLARED_LOW,
    EVENT_ANTE,
    EVENT_AWARD,
    EVENT_BET,
    EVENT_BLIND,
    EVENT_BOARD,
    EVENT_BRING_IN,
    EVENT_BURN,
    EVENT_CALL,
    EVENT_CARRY,
    EVENT_CHECK,
    EVENT_CHOSEN,
    EVENT_COLLECTED,
    EVENT_COMMON_CARD,
    EVENT_DECLARED,
    EVENT_DIVIDED,
    EVENT_DRAWN,
    EVENT_END,
    EVENT_FOLD,
    EVENT_HOLE_CARDS,
    EVENT_LAYER,
    EVENT_MUCK,
    EVENT_PASSED,
    EVENT_RAISE,
    EVENT_RESHUFFLE,
    EVENT_RETURNED,
    EVENT_SHARE,
    EVENT_SHOW,
    EVENT_SHOWDOWN,
    EVENT_UP_CARDS,
    EventBuffer,
    EventRecord,
    HandCore,
    PART_HIGH,
    PART_LOW,
    PART_WHOLE,
    STEP_DECLARE,
    STEP_DISCARD,
    STEP_DRAW,
    STEP_PASS,
    board_card,
    hole_card,
)
from homegame_engine.limits cimport CARD_UNKNOWN, DECK_CARDS_MAX, MAX_SEATS
from libc.stdint cimport int32_t, uint32_t

from homegame_engine import events as ev
from homegame_engine.errors import InputError, InvariantError
from homegame_engine.evaluator import rule as ranking_rule
from homegame_engine.evaluator.high import CATEGORIES as _HIGH_CATEGORIES
from homegame_engine.evaluator.high import describe as describe_high
from homegame_engine.evaluator.words import describe

_BLINDS = {BLIND_SMALL: "SMALL", BLIND_BIG: "BIG", BLIND_KILL: "KILL"}
_CHOICES = {STEP_DISCARD: "DISCARD", STEP_DRAW: "DRAW", STEP_PASS: "PASS", STEP_DECLARE: "DECLARE"}
_HALVES = {DECLARED_LOW: "LOW", DECLARED_HIGH: "HIGH", DECLARED_BOTH: "BOTH"}
_PARTS = {PART_WHOLE: "WHOLE", PART_HIGH: "HIGH", PART_LOW: "LOW"}


cdef tuple seats_of(uint32_t mask):
    return tuple([seat for seat in range(MAX_SEATS) if mask >> seat & 1])


cdef tuple cards_of(const EventRecord* record):
    return tuple([record.cards[i] for i in range(record.n_cards)])


cdef int32_t count_following(const EventBuffer* events, int32_t i, int32_t kind) noexcept:
    """Records of `kind` in a row right after record i."""
    cdef int32_t n = 0
    while i + 1 + n < events.n_events and events.events[i + 1 + n].kind == kind:
        n += 1
    return n


cdef object rule_object(const RankingRule* rule):
    """A rule of the core as the value that the words are asked with."""
    return ranking_rule.RankingRule(
        ranking=ranking_rule.Ranking(rule.ranking),
        qualifier=rule.qualifier,
        exact_hole=rule.exact_hole,
        low_hole_wild=bool(rule.low_hole_wild),
        wild_cards=tuple([card for card in range(DECK_CARDS_MAX) if rule.wild_mask >> card & 1]),
    )


cdef tuple hand_words(const HandCore* h, int32_t seat):
    """The words for a seat's hand and the cards that play; ("", ()) while it has too few cards or one that nobody knows.

    A game of two halves has words for both; the cards are those of the high half.
    """
    cards = tuple([hole_card(h, seat, i) for i in range(h.n_hole_cards[seat])])
    board = tuple([board_card(h, i) for i in range(h.n_board_cards)])
    if not cards or CARD_UNKNOWN in cards or CARD_UNKNOWN in board:
        return "", ()
    try:
        if h.game.is_plain_high:
            plain = describe_high(cards + board)
            return plain.text, plain.best_cards
        up_mask = 0 if h.game.is_plain_deal else h.up_masks[seat]
        described = describe(rule_object(&h.game.high), cards, board, up_mask)
        if described.hand_rank == 0:
            return "", ()
        if h.game.low.ranking == RANKING_NONE:
            return described.text, described.best_cards
        other = describe(rule_object(&h.game.low), cards, board, up_mask)
    except InputError:                                  # Too few cards to be a hand yet.
        return "", ()
    # A low with a pair in it, or worse, reads like a high hand.
    half = "low, " if other.category in _HIGH_CATEGORIES else ""
    return f"{described.text}; {half}{other.text}", described.best_cards


cdef object shown_event(const HandCore* h, const EventRecord* record):
    """HandShown with the words for the hand, once there are cards enough."""
    text, best_cards = hand_words(h, record.seat)
    return ev.HandShown(seat=record.seat, cards=cards_of(record), rank_text=text, best_cards=best_cards)


cdef object showdown_order(const HandCore* h, const EventRecord* record):
    cdef int32_t i, seat
    order = []
    for i in range(h.n_seats):
        seat = (record.seat + i) % h.n_seats
        if record.mask >> seat & 1:
            order.append(seat)
    return tuple(order)


cdef object wager_event(const EventRecord* record):
    """Calls, bets, raises and bring-ins."""
    cdef bint all_in = record.flag & 1 != 0, full = record.flag & 2 != 0, completes = record.flag & 4 != 0
    if record.kind == EVENT_CALL:
        return ev.PlayerCalled(seat=record.seat, chips=record.chips, to_chips=record.to_chips, all_in=all_in)
    if record.kind == EVENT_BET:
        return ev.PlayerBet(seat=record.seat, chips=record.chips, to_chips=record.to_chips, all_in=all_in, full=full)
    if record.kind == EVENT_BRING_IN:
        return ev.BringInPosted(seat=record.seat, chips=record.chips, all_in=all_in)
    return ev.PlayerRaised(
        seat=record.seat, chips=record.chips, to_chips=record.to_chips, by_chips=record.by_chips, all_in=all_in, full=full,
        completes=completes,
    )


cdef object posted_or_dealt_event(const EventRecord* record):
    """Antes, blinds and cards that come off the deck; None for a record of another kind."""
    if record.kind == EVENT_ANTE:
        return ev.AntePosted(seat=record.seat, chips=record.chips, all_in=record.flag == 1)
    if record.kind == EVENT_BLIND:
        return ev.BlindPosted(seat=record.seat, chips=record.chips, blind=_BLINDS[record.number], all_in=record.flag == 1)
    if record.kind == EVENT_HOLE_CARDS:
        return ev.HoleCardsDealt(seat=record.seat, cards=cards_of(record))
    if record.kind == EVENT_UP_CARDS:
        return ev.UpCardsDealt(seat=record.seat, cards=cards_of(record))
    if record.kind == EVENT_BURN:
        return ev.CardsBurned(count=record.chips)
    if record.kind == EVENT_BOARD:
        return ev.BoardDealt(street=record.chips, cards=cards_of(record))
    if record.kind == EVENT_COMMON_CARD:
        return ev.CommonCardDealt(card=record.cards[0])
    if record.kind == EVENT_RESHUFFLE:
        return ev.StubReshuffled(count=record.number)
    return None


cdef object choice_event(const EventBuffer* events, int32_t i):
    """Draws, discards, passes and declarations; None for a record of another kind."""
    cdef const EventRecord* record = &events.events[i]
    cdef int32_t k
    if record.kind == EVENT_CHOSEN:
        return ev.ChoiceMade(seat=record.seat, choice=_CHOICES[record.number], cards=cards_of(record))
    if record.kind == EVENT_DRAWN:
        return ev.CardsDrawn(seat=record.seat, discarded=cards_of(record - 1), cards=cards_of(record))
    if record.kind == EVENT_PASSED:
        return ev.CardsPassed(from_seat=record.number, seat=record.seat, cards=cards_of(record))
    if record.kind == EVENT_DECLARED:
        return ev.HalvesDeclared(declarations=tuple([
            ev.Declaration(seat=events.events[k].seat, half=_HALVES[events.events[k].number])
            for k in range(i, i + 1 + count_following(events, i, EVENT_DECLARED))
        ]))
    return None


cdef object pot_event(const HandCore* h, const EventBuffer* events, int32_t i):
    """What becomes of the pot; records that belong together (layers, shares) become one. None for another kind."""
    cdef const EventRecord* record = &events.events[i]
    cdef int32_t k
    if record.kind == EVENT_COLLECTED:
        return ev.BetsCollected(layers=tuple([
            ev.LayerShown(chips=events.events[k].chips, seats=seats_of(events.events[k].mask))
            for k in range(i + 1, i + 1 + count_following(events, i, EVENT_LAYER))
        ]))
    if record.kind == EVENT_RETURNED:
        return ev.UncalledReturned(seat=record.seat, chips=record.chips)
    if record.kind == EVENT_AWARD:
        return ev.LayerAwarded(
            layer=record.number, chips=record.chips, odd_units=record.by_chips, part=_PARTS[record.flag],
            shares=tuple([
                ev.Share(seat=events.events[k].seat, chips=events.events[k].chips)
                for k in range(i + 1, i + 1 + count_following(events, i, EVENT_SHARE))
            ]),
        )
    if record.kind == EVENT_DIVIDED:
        shares = [0] * h.n_seats
        for k in range(i + 1, i + 1 + count_following(events, i, EVENT_SHARE)):
            shares[events.events[k].seat] = events.events[k].chips
        return ev.PotDivided(shares=tuple(shares))
    if record.kind == EVENT_CARRY:
        return ev.PotCarried(chips=record.chips, redeal_seats=seats_of(record.mask))
    return None


cdef object event_object(const HandCore* h, const EventBuffer* events, int32_t i, int hand_number):
    cdef const EventRecord* record = &events.events[i]
    cdef int32_t seat
    if EVENT_CALL <= record.kind <= EVENT_RAISE or record.kind == EVENT_BRING_IN:
        return wager_event(record)
    if record.kind == EVENT_FOLD:
        return ev.PlayerFolded(seat=record.seat)
    if record.kind == EVENT_CHECK:
        return ev.PlayerChecked(seat=record.seat)
    if record.kind == EVENT_SHOWDOWN:
        return ev.ShowdownStarted(seats=showdown_order(h, record))
    if record.kind == EVENT_SHOW:
        return shown_event(h, record)
    if record.kind == EVENT_MUCK:
        return ev.HandMucked(seat=record.seat)
    if record.kind == EVENT_END:
        return ev.HandEnded(
            hand_number=hand_number,
            stacks=tuple([h.betting.stack_chips[seat] for seat in range(h.n_seats)]),
            net_chips=tuple([h.betting.stack_chips[seat] - h.start_stack_chips[seat] for seat in range(h.n_seats)]),
        )
    made = posted_or_dealt_event(record) or choice_event(events, i) or pot_event(h, events, i)
    if made is None:
        raise InvariantError(f"no event for record {record.kind}")
    return made


cdef bint is_part_of_another(const EventBuffer* events, int32_t i) noexcept:
    """Whether the record before, or the one after a draw's discards, speaks for this one too."""
    cdef int32_t kind = events.events[i].kind
    if kind == EVENT_LAYER or kind == EVENT_SHARE:
        return True
    if kind == EVENT_DECLARED:
        return i > 0 and events.events[i - 1].kind == EVENT_DECLARED
    return kind == EVENT_CHOSEN and events.events[i].number == STEP_DRAW


cdef tuple event_objects(const HandCore* h, const EventBuffer* events, int hand_number):
    cdef int32_t i
    cdef list made = []
    for i in range(events.n_events):
        if not is_part_of_another(events, i):
            made.append(event_object(h, events, i, hand_number))
    return tuple(made)
