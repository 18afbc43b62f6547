# cython: language_level=3
"""What one viewer may see. See view.pxd; every card that leaves the engine for somebody passes here."""

from homegame_engine.hand cimport Hand, hand_legal
from homegame_engine.hand_events cimport rule_object
from homegame_engine.hand_state cimport HandCore, PHASE_CHOOSING, board_card, hole_card
from homegame_engine.limits cimport CARD_HIDDEN, CARD_UNKNOWN, MAX_HOLE_CARDS
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy, memset

from msgspec import structs

from homegame_engine import events as ev
from homegame_engine.evaluator.words import find_wild_cards
from homegame_engine.reasons import Reason

_HIDDEN = CARD_HIDDEN
_OPENERS = str(Reason.OPENERS_REQUIRED)


cdef inline uint32_t seen_mask(const HandCore* h, int32_t viewer, int32_t seat) noexcept nogil:
    """Which private cards of a seat a viewer (-1 for a spectator) may see, bit i for card i: own ones, hands shown to everybody
    (PROC-SHOW-06), and cards that lie face up (GAME-ST-10)."""
    if viewer == seat or h.shown_mask >> seat & 1:
        return (1u << MAX_HOLE_CARDS) - 1
    return 0 if h.game.is_plain_deal else h.up_masks[seat]


cdef void observe_rest(const HandCore* h, int32_t seat, Observation* seen) noexcept nogil:
    """What plain deals have not: up cards, and halves, which are secret until all are declared (GAME-DECL-01)."""
    memset(seen.up_masks, 0, sizeof(seen.up_masks))
    memset(seen.declared, 0, sizeof(seen.declared))
    if h.game.is_plain_deal:
        return
    memcpy(seen.up_masks, h.up_masks, sizeof(seen.up_masks))
    if h.phase != PHASE_CHOOSING:
        memcpy(seen.declared, h.declared, sizeof(seen.declared))
    else:
        seen.declared[seat] = h.declared[seat]


cdef void observe(const SessionCore* s, int32_t seat, Observation* seen) noexcept nogil:
    cdef const HandCore* h = &s.hand
    cdef int32_t other, i
    cdef uint32_t mask
    seen.seat = seat
    seen.n_seats = h.n_seats
    seen.button = h.button
    seen.small_blind_seat = h.small_blind_seat
    seen.big_blind_seat = h.big_blind_seat
    seen.street = h.street
    seen.phase = h.phase
    seen.hand_number = s.n_hands + 1
    seen.n_board_cards = h.n_board_cards
    seen.n_hole_cards = h.n_hole_cards[seat]
    seen.n_wagers = h.betting.n_wagers
    seen.live_mask = h.betting.live_mask & ~h.mucked_mask
    seen.dealt_mask = h.dealt_mask
    seen.pot_chips = h.dead_chips
    seen.level_chips = h.betting.level_chips
    seen.big_blind_chips = h.betting.rules.big_blind_chips
    memcpy(seen.stack_chips, h.betting.stack_chips, sizeof(seen.stack_chips))
    memcpy(seen.street_chips, h.betting.street_chips, sizeof(seen.street_chips))
    memcpy(seen.n_seat_cards, h.n_hole_cards, sizeof(seen.n_seat_cards))
    observe_rest(h, seat, seen)
    memset(seen.hole_cards, CARD_HIDDEN, sizeof(seen.hole_cards))
    memset(seen.board, CARD_HIDDEN, sizeof(seen.board))
    for other in range(h.n_seats):
        seen.pot_chips += h.committed_chips[other]
        mask = seen_mask(h, seat, other)
        if mask:
            for i in range(h.n_hole_cards[other]):
                if mask >> i & 1:
                    seen.hole_cards[other][i] = hole_card(h, other, i)
    for i in range(h.n_board_cards):
        seen.board[i] = board_card(h, i)
    hand_legal(h, seat, &seen.legal)
    seen.game = &h.game
    seen.step = h.step


cdef tuple hidden(object cards):
    """As many cards, unseen."""
    return (_HIDDEN,) * len(cards)


def project(event, viewer_seat):
    """The event as `viewer_seat` (None: a spectator) may see it: same type, hidden cards as CARD_HIDDEN.

    Cards that a seat gets, gives up or passes are that seat's, and of a passed card the two seats'; how many they are is
    everybody's. Up cards, a hand shown and the board are seen by all; a muck names no card. Whether the actor holds openers
    (GAME-DC-06) is nobody else's knowledge, so everybody else is told that a bet is open.
    """
    kind = type(event)
    if kind is ev.HoleCardsDealt:
        return event if event.seat == viewer_seat else ev.HoleCardsDealt(seat=event.seat, cards=hidden(event.cards))
    if kind is ev.ActionRequired:
        return event if event.seat == viewer_seat else without_openers(event)
    if kind is ev.ChoiceMade:
        return event if event.seat == viewer_seat else structs.replace(event, cards=hidden(event.cards))
    if kind is ev.CardsDrawn:
        if event.seat == viewer_seat:
            return event
        return structs.replace(event, discarded=hidden(event.discarded), cards=hidden(event.cards))
    if kind is ev.CardsPassed:
        if viewer_seat is not None and viewer_seat in (event.seat, event.from_seat):
            return event
        return structs.replace(event, cards=hidden(event.cards))
    return event


cdef object without_openers(object event):
    """ActionRequired as everybody but the actor may see it."""
    return event if event.legal.wager_refusal != _OPENERS else structs.replace(event, legal=seen_legal(event.legal, None))


def seen_legal(legal, viewer_seat):
    """What is open to a seat as `viewer_seat` (None: a spectator) may know it (GAME-DC-06)."""
    if legal.wager_refusal != _OPENERS or legal.seat == viewer_seat:
        return legal
    return structs.replace(legal, kinds=(*legal.kinds, "bet"), wager_refusal=None)


def seen_hole_cards(hand, int seat, viewer_seat):
    """A seat's private cards as `viewer_seat` (None: a spectator) may see them; () for a seat without a hand.

    Cards that nobody knows yet stay CARD_UNKNOWN for those who may see them.
    """
    cards = hand.hole_cards(seat)
    if viewer_seat == seat or hand.shown_mask >> seat & 1:
        return cards
    up_mask = hand.up_mask(seat)
    return tuple([card if up_mask >> i & 1 else _HIDDEN for i, card in enumerate(cards)]) if up_mask else hidden(cards)


def seen_wild_positions(Hand hand not None, int seat, viewer_seat):
    """Which of a seat's private cards `viewer_seat` (None: a spectator) may know to be wild, as positions in `seen_hole_cards`.

    Cards that are wild for everybody are known by their faces. The low hole card makes others wild only for those who see all
    cards of the seat: a wild card face up would tell the rank of one face down (RANK-WILD-04).
    """
    cdef const HandCore* h = &hand.core
    if not h.game.high.low_hole_wild and not h.game.high.wild_mask and not h.game.n_jokers:
        return ()
    cards = seen_hole_cards(hand, seat, viewer_seat)
    known = [card for card in cards if card != _HIDDEN and card != CARD_UNKNOWN]
    rule = rule_object(&h.game.high)
    board = () if CARD_UNKNOWN in hand.board else hand.board
    if len(known) < len(cards):
        wild = find_wild_cards(structs.replace(rule, low_hole_wild=False), known)
    else:
        wild = find_wild_cards(rule, known, board, hand.up_mask(seat))
    return tuple([at for at, card in enumerate(cards) if card in wild])


def seen_rank_text(hand, int seat, viewer_seat):
    """Words for a seat's hand with the board so far, where the viewer may see it and five cards are known; else ''."""
    return "" if _HIDDEN in seen_hole_cards(hand, seat, viewer_seat) else hand.words(seat)
