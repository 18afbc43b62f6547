"""Limits and integer codes that every compiled part of the engine shares.

Only compile-time constants live here. They are sizes of fixed arrays in C structs and the codes that
those structs store; the rules themselves are elsewhere.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    MAX_SEATS = 10        # Seats at one table; a mask of seats has one bit for each.
    MAX_STREETS = 8       # Betting rounds of one deal, the longest game of the rulebook included.
    MAX_HOLE_CARDS = 7    # Private cards of one seat, face up or face down (seven-card stud).
    MAX_BOARD_CARDS = 10  # Common cards of one deal, games with two boards included.
    MAX_STEPS = 32        # Steps of a game's script: deal, bet, discard, declare, show.
    DECK_CARDS_MAX = 54   # 52 cards and the two jokers.
    MAX_LAYERS = 10       # Layers of one pot: never more than seats.
    MAX_LEVELS = 16       # Blind levels of one format.
    MAX_MIXES = 4         # Reshuffles of a short stub that one deal can have.

cdef enum:
    CARD_UNKNOWN = 254    # Nobody has told the engine yet which card this is (text "??").
    CARD_HIDDEN = 255     # The card is known, but not to this viewer (text "??").
