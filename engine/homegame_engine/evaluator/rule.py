"""What makes a hand of the cards that somebody holds, as a value; a game's description names it (GAME-DC-04)."""

import enum

import msgspec


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
