# cython: language_level=3
"""Cards as numbers and as text.

A card is 4 * rank + suit, 2c = 0 to As = 51; the jokers X1 and X2 are 52 and 53. Two codes are no
cards: CARD_UNKNOWN for one that nobody has entered yet and CARD_HIDDEN for one that the viewer may not
see. Nothing here shuffles or deals.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint64_t

from homegame_engine cimport limits

from homegame_engine.errors import InputError

CARD_UNKNOWN = limits.CARD_UNKNOWN
CARD_HIDDEN = limits.CARD_HIDDEN

RANKS = "23456789TJQKA"  # CARD-04, low to high.
SUITS = "cdhs"           # CARD-05, low to high; no pot is ever decided by them.
JOKERS = ("X1", "X2")
UNKNOWN_TEXT = "??"

cdef enum:
    N_DECK_CARDS = 52


cdef inline bint is_deck_order(
    const uint8_t* order, int32_t n_cards, bint may_be_unknown
) noexcept nogil:
    cdef uint64_t seen = 0
    cdef int32_t i
    if n_cards != N_DECK_CARDS:
        return False
    for i in range(n_cards):
        if order[i] == limits.CARD_UNKNOWN and may_be_unknown:
            continue
        if order[i] >= N_DECK_CARDS or seen >> order[i] & 1:
            return False
        seen |= <uint64_t>1 << order[i]
    return True


cdef bint is_full_deck(const uint8_t* order, int32_t n_cards) noexcept nogil:
    return is_deck_order(order, n_cards, False)


cdef bint is_partly_known_deck(const uint8_t* order, int32_t n_cards) noexcept nogil:
    return is_deck_order(order, n_cards, True)


_TEXT_OF_CARD = tuple([rank + suit for rank in RANKS for suit in SUITS]) + JOKERS
_CARD_OF_TEXT = {text: card for card, text in enumerate(_TEXT_OF_CARD)} | {UNKNOWN_TEXT: CARD_UNKNOWN}


def parse_card(text):
    """Read one card.

    Args:
        text: A rank of RANKS and a suit of SUITS, as `As` or `Td`; `X1` or `X2`; or `??`. Exactly so:
            `10s`, `as` and `AS` are refused, for a card that is guessed is a wrong card.

    Returns:
        The code: 0..51, 52 or 53 for a joker, CARD_UNKNOWN for `??`.

    Raises:
        InputError: The text names no card.

    Rules:
        CARD-01, CARD-04.
    """
    try:
        return _CARD_OF_TEXT[text]
    except (KeyError, TypeError):
        raise InputError(f"{text!r} is no card; cards look like As, Td, 9h, 2c", field="card") from None


def parse_cards(text):
    """Read several cards.

    Args:
        text: One string, with or without blanks between cards (`AsKd`, `As Kd`), or a sequence of
            single cards.

    Returns:
        Their codes, in order. A card may occur twice: only the caller knows what that means.

    Raises:
        InputError: A part of the text names no card.

    Rules:
        CARD-01, CARD-04.
    """
    if not isinstance(text, str):
        return tuple([parse_card(part) for part in text])
    return tuple([
        parse_card(word[start:start + 2]) for word in text.split() for start in range(0, len(word), 2)
    ])


def format_card(card):
    """Write one card: `As`, `X1`, or `??` for one that is unknown or hidden.

    Args:
        card: A code 0..53, CARD_UNKNOWN or CARD_HIDDEN.

    Raises:
        InputError: No card has this code.
    """
    if card in (CARD_UNKNOWN, CARD_HIDDEN):
        return UNKNOWN_TEXT
    if not 0 <= card < len(_TEXT_OF_CARD):
        raise InputError(f"no card has the code {card}", field="card")
    return _TEXT_OF_CARD[card]


def format_cards(cards):
    """Write several cards without anything between them, as `AsKd`.

    Args:
        cards: Codes as for `format_card`.

    Raises:
        InputError: No card has one of the codes.
    """
    return "".join([format_card(card) for card in cards])


def full_deck():
    """Give the 52 cards in the order of their codes, one byte each.

    Rules:
        CARD-01.
    """
    return bytes(range(N_DECK_CARDS))


def is_deck(order):
    """Tell whether an order holds each of the 52 cards exactly once and no joker.

    Args:
        order: bytes, a card code each.

    Rules:
        CARD-01.
    """
    cdef bytes cards = bytes(order)
    return is_full_deck(<const uint8_t*>PyBytes_AS_STRING(cards), <int32_t>len(cards))


def is_partly_known_deck_order(order):
    """Tell whether an order is 52 long and holds no card twice, unknown ones apart.

    Args:
        order: bytes, a card code or CARD_UNKNOWN each.

    Rules:
        CARD-01.
    """
    cdef bytes cards = bytes(order)
    return is_partly_known_deck(<const uint8_t*>PyBytes_AS_STRING(cards), <int32_t>len(cards))
