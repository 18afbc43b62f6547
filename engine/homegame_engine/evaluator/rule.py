"""What makes a hand of the cards that somebody holds, as a value; a game's description names it (GAME-DC-04)."""

import enum
from typing import Final

import msgspec

from homegame_engine.errors import InputError

N_ALL_CARDS: Final = 54
"""Codes of cards, the jokers among them."""
QUALIFIERS: Final = range(5, 15)
EXACT_HOLE_MAX: Final = 5


class Ranking(enum.IntEnum):
    """The ways of ranking. In each a higher `hand_rank` wins; ranks of different rankings say nothing about one another."""

    HIGH = 1
    """RANK-HI-02, with five of a kind on top where cards are wild (RANK-WILD-02)."""
    ACE_TO_FIVE = 2
    """RANK-LO-01. With a qualifier of 8 it is EIGHT_OR_BETTER (RANK-LO-02)."""
    ACE_TO_SIX = 3
    """RANK-LO-03, RANK-LO-04."""
    DEUCE_TO_SEVEN = 4
    """High hands upside down; the ace is high and A-2-3-4-5 is no straight."""
    BADUGI = 5
    """The best four cards of different ranks and suits, the ace low; more such cards beat fewer."""
    LOW_SPADE = 6
    """The lowest spade among the face-down cards, the ace high (RANK-LO-06)."""


class RankingRule(msgspec.Struct, frozen=True, kw_only=True):
    """How a hand is made and ranked. The mirror of the struct in ranking.pxd."""

    ranking: Ranking
    qualifier: int = 0
    """Highest rank that a low may hold, 8 for eight or better; it then needs five different ranks. 0: none."""
    exact_hole: int = 0
    """Exactly so many private cards, the rest of the five from the board; 0: any of all."""
    low_hole_wild: bool = False
    """The holder's lowest face-down card, and all of that rank in the holder's own hand, are wild (RANK-WILD-04)."""
    wild_cards: tuple[int, ...] = ()
    """Codes of the cards that are wild for everybody. Jokers are wild in any case."""

    def __post_init__(self) -> None:
        """Refuse what cannot be ranked."""
        five_cards = Ranking.HIGH <= self.ranking <= Ranking.DEUCE_TO_SEVEN
        if self.qualifier and (not five_cards or self.ranking is Ranking.HIGH or self.qualifier not in QUALIFIERS):
            raise InputError(f"{self.ranking.name} has no qualifier {self.qualifier}", field="qualifier")
        if self.exact_hole and not (five_cards and 0 < self.exact_hole <= EXACT_HOLE_MAX):
            raise InputError(f"{self.ranking.name} has no hands of exactly {self.exact_hole}", field="exact_hole")
        for card in self.wild_cards:
            if not 0 <= card < N_ALL_CARDS:
                raise InputError(f"{card} is no card that can be wild", field="wild_cards")
