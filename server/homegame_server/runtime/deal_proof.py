"""The one port through which commitments come: roots, salts and paths (design, laws 5 and 6).

They differ between two deals that look the same to a viewer, so a test that compares such deals byte by byte puts a constant in
this place; another test shows that they hide. What a commitment is, `homegame_engine.deal_proof` says; who may see which card,
`homegame_engine.view`. This module knows neither: it draws the key, and a key leaves it only into the journal.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from homegame_engine.deal_proof import KEY_BYTES, DealContext, Opening, commit, commit_mixes, open_seen_cards

if TYPE_CHECKING:
    from collections.abc import Iterable

    from homegame_engine.events import AnyEvent


class SealedWith(NamedTuple):
    """What sealing a deck gives."""

    key: bytes
    """32 bytes for the journal; as secret as the deck."""
    root: bytes
    """32 bytes to publish before the cut."""
    mix_root: bytes = b""
    """32 bytes to publish with it where the stub may be mixed anew, else nothing."""


class DealSealer(ABC):
    """Seals decks and opens cards of them, as a value that a test replaces."""

    @abstractmethod
    def seal(self, context: DealContext, deck_order: bytes, mix_orders: bytes = b"") -> SealedWith:
        """Commit to a shuffled deck, and to the orders of reshuffles, under a key that is drawn for it and never again.

        Rules: GEN-08, PROC-SHUF-01, CARD-06.
        """

    @abstractmethod
    def open_seen(
        self, context: DealContext, deck_order: bytes, key: bytes, projected: Iterable[AnyEvent]
    ) -> tuple[Opening, ...]:
        """Open exactly the cards in a deal's events as `view.project` left them for a viewer, by position (GEN-08)."""


class MerkleSealer(DealSealer):
    """The sealer of live nights: keys from the operating system's generator."""

    def seal(self, context: DealContext, deck_order: bytes, mix_orders: bytes = b"") -> SealedWith:
        """See `DealSealer.seal`."""
        key = secrets.token_bytes(KEY_BYTES)
        return SealedWith(key, commit(context, deck_order, key).root, commit_mixes(context, mix_orders, key))

    def open_seen(
        self, context: DealContext, deck_order: bytes, key: bytes, projected: Iterable[AnyEvent]
    ) -> tuple[Opening, ...]:
        """See `DealSealer.open_seen`. The tree is built again from the key each time and kept nowhere."""
        return open_seen_cards(commit(context, deck_order, key), projected)
