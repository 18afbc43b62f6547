"""How the wire's cards are written, spelled out by the contract itself (`proto/homegame/v1/cards.proto`)."""

from typing import Final

from homegame.v1.cards_pb2 import Card

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
BACK: Final = "??"
"""A card that exists and that the viewer may not see."""


def card_text(card: Card.ValueType) -> str:
    """Two characters: `As`, `Td`, `X1` for a joker, `??` for a hidden card."""
    if card == Card.CARD_HIDDEN:
        return BACK
    if card >= Card.CARD_FIRST_JOKER:
        return f"X{card - Card.CARD_FIRST_JOKER + 1}"
    return RANKS[(card - 1) // 4] + SUITS[(card - 1) % 4]
