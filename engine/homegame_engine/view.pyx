# cython: language_level=3
"""What one viewer may see. See view.pxd; every card that leaves the engine for somebody passes here."""

from homegame_engine.hand cimport hand_legal
from homegame_engine.hand_state cimport HandCore, board_card, hole_card
from homegame_engine.limits cimport CARD_HIDDEN, CARD_UNKNOWN
from libc.string cimport memcpy, memset

from homegame_engine import events as ev
from homegame_engine.evaluator.high import describe

_HIDDEN = CARD_HIDDEN


cdef inline bint may_see(const HandCore* h, int32_t viewer, int32_t seat) noexcept nogil:
    """Own cards, and hands shown to everybody (PROC-SHOW-06); a spectator is viewer -1."""
    return viewer == seat or h.shown_mask >> seat & 1


cdef void observe(const SessionCore* s, int32_t seat, Observation* seen) noexcept nogil:
    cdef const HandCore* h = &s.hand
    cdef int32_t other, i
    seen.seat = seat
    seen.n_seats = h.n_seats
    seen.button = h.button
    seen.small_blind_seat = h.small_blind_seat
    seen.big_blind_seat = h.big_blind_seat
    seen.street = h.street
    seen.phase = h.phase
    seen.hand_number = s.n_hands + 1
    seen.n_board_cards = h.n_board_cards
    seen.n_hole_cards = h.game.n_hole_cards
    seen.n_wagers = h.betting.n_wagers
    seen.live_mask = h.betting.live_mask & ~h.mucked_mask
    seen.dealt_mask = h.dealt_mask
    seen.pot_chips = h.dead_chips
    seen.level_chips = h.betting.level_chips
    seen.big_blind_chips = h.betting.rules.big_blind_chips
    memcpy(seen.stack_chips, h.betting.stack_chips, sizeof(seen.stack_chips))
    memcpy(seen.street_chips, h.betting.street_chips, sizeof(seen.street_chips))
    memset(seen.hole_cards, CARD_HIDDEN, sizeof(seen.hole_cards))
    memset(seen.board, CARD_HIDDEN, sizeof(seen.board))
    for other in range(h.n_seats):
        seen.pot_chips += h.committed_chips[other]
        if may_see(h, seat, other):
            for i in range(h.n_hole_cards[other]):
                seen.hole_cards[other][i] = hole_card(h, other, i)
    for i in range(h.n_board_cards):
        seen.board[i] = board_card(h, i)
    hand_legal(h, seat, &seen.legal)


def project(event, viewer_seat):
    """The event as `viewer_seat` (None: a spectator) may see it: same type, hidden cards as CARD_HIDDEN.

    HoleCardsDealt is the one event that carries hidden cards; a hand shown is shown to all, a muck names no card.
    """
    if type(event) is ev.HoleCardsDealt and event.seat != viewer_seat:
        return ev.HoleCardsDealt(seat=event.seat, cards=(_HIDDEN,) * len(event.cards))
    return event


def seen_hole_cards(hand, int seat, viewer_seat):
    """A seat's private cards as `viewer_seat` (None: a spectator) may see them; () for a seat without a hand.

    Cards that nobody knows yet stay CARD_UNKNOWN for those who may see them.
    """
    cards = hand.hole_cards(seat)
    if viewer_seat == seat or hand.shown_mask >> seat & 1:
        return cards
    return (_HIDDEN,) * len(cards)


def seen_rank_text(hand, int seat, viewer_seat):
    """Words for a seat's hand with the board so far, where the viewer may see it and five cards are known; else ''."""
    own = seen_hole_cards(hand, seat, viewer_seat)
    cards = own + hand.board
    if not own or len(cards) < 5 or _HIDDEN in cards or CARD_UNKNOWN in cards:
        return ""
    return describe(cards).text
