"""What one viewer must keep of a night to check its deals: every root when it came, every cut, every event of a deal.

A proof fetched later can be compared with nothing but what was kept, so `DealLog` listens to the stream from the seat's first
moment on (docs/deal-proof.md). The check itself is `homegame_client.proof`; a deal with its proof can be written to a file that
`homegame verify` reads.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from homegame.v1.events_pb2 import TableEvent
from homegame.v1.hands_pb2 import DealProof
from homegame_client.deal_faults import Fault, Finding
from homegame_client.deal_sequence import check_sequence
from homegame_client.proof import Announced, CutSeen, DealId, Opening, RootSeen, Verdict, read_deal, verify_deal

FILE_KIND: Final = "homegame.deal"
FILE_VERSION: Final = 2
_FILE_WITHOUT_FOLDS: Final = 1
"""Files of this version hold no folds and bets, and nothing of what came before and after the deal."""
_VERSIONS: Final = (_FILE_WITHOUT_FOLDS, FILE_VERSION)
_PROOF_VERSION: Final = 1
_HASH_BYTES: Final = 32
_OF_A_HAND: Final = frozenset(
    {
        "hand_starting",
        "hole_cards_dealt",
        "up_cards_dealt",
        "cards_burned",
        "board_dealt",
        "common_card_dealt",
        "stub_reshuffled",
        "choice_made",
        "cards_drawn",
        "cards_passed",
        "hand_shown",
        "player_folded",
        "player_bet",
        "player_raised",
        "bring_in_posted",
    }
)
_WHOLE_DECK: Final = 52
_ENDS: Final = frozenset({"hand_ended", "hand_voided", "session_finished", "night_closed"})


class DealKey(NamedTuple):
    """Which deal of a table: the hand, and how often it was dealt."""

    hand_number: int
    attempt: int


@dataclass(kw_only=True)
class KeptDeal:
    """One deal as the stream told it."""

    sealed: TableEvent
    """Holds DeckSealed."""
    cut: TableEvent | None = None
    """Holds DeckCut."""
    own_cut: int | None = None
    """The position that this client sent and that was accepted."""
    events: list[TableEvent] = field(default_factory=list)
    """Of the hand, those that bring cards, and those that say who still gets some."""
    earlier: list[TableEvent] | None = None
    """Decks sealed and hands voided since the last hand that was played to its end; None where they were not all heard."""
    ended: TableEvent | None = None
    """What ended the deal."""
    tells_folds: bool = True
    """Whether folds and bets were kept."""

    @property
    def is_over(self) -> bool:
        """Whether the deal was played to its end, or void."""
        return self.ended is not None

    @property
    def key(self) -> DealKey:
        """Which deal it is."""
        return DealKey(self.sealed.deck_sealed.hand_number, self.sealed.deck_sealed.attempt)

    @property
    def n_cards(self) -> int:
        """Cards of the deck; deals that were written down before there were other decks name none."""
        return self.sealed.deck_sealed.n_cards or _WHOLE_DECK

    @property
    def root(self) -> bytes:
        """What was published before the cut."""
        return self.sealed.deck_sealed.root

    def check(self, deal: DealId, proof: DealProof, earlier_roots: Iterable[bytes]) -> Verdict:
        """Hold what was opened against what was kept; nothing but the openings is taken from the proof."""
        if proof.version != _PROOF_VERSION:
            return _unknown_version(proof.version)
        sealed = self.sealed.deck_sealed
        cut = CutSeen(number=0, seat=None, position=0)
        if self.cut is not None:
            seen = self.cut.deck_cut
            cut = CutSeen(number=self.cut.number, seat=seen.seat, position=seen.position, by_clock=seen.by_clock)
        root = RootSeen(
            number=self.sealed.number,
            root=sealed.root,
            button=sealed.button,
            dealt_in=tuple(sealed.dealt_in),
            mix_root=sealed.mix_root,
        )
        announced = Announced(
            n_cards=self.n_cards,
            can_run_short=len(sealed.mix_root) == _HASH_BYTES,
            steps=tuple(sealed.steps),
            folded_hands_get_cards=sealed.folded_hands_get_cards or not sealed.steps,
            tells_folds=self.tells_folds,
        )
        return verify_deal(
            deal,
            root,
            cut,
            [
                Opening(position=one.position, card=one.card, salt=one.salt, path=tuple(one.path))
                for one in proof.openings
            ],
            read_deal(self.events, announced),
            own_cut=self.own_cut,
            earlier_roots=frozenset(earlier_roots),
            before=() if self.earlier is None else check_sequence(self.earlier, sealed, self.ended),
        )


def _unknown_version(version: int) -> Verdict:
    """What can be said of a proof that this program cannot read."""
    message = (
        f"its proof is of version {version}, and this program reads version {_PROOF_VERSION}: "
        "check it with the homegame of the server, or with a newer one"
    )
    return Verdict(
        holds=False,
        cards_checked=0,
        findings=(Finding(Fault.UNKNOWN_VERSION, message),),
        sentence=f"This deal was not checked: {message}.",
    )


class DealLog:
    """The deals of one table as one viewer heard of them.

    Args:
        night_id: The night.
        table_id: The table.
    """

    def __init__(self, night_id: str, table_id: str) -> None:
        self._night_id = night_id
        self._table_id = table_id
        self._deals: dict[DealKey, KeptDeal] = {}
        self._roots: list[tuple[DealKey, bytes]] = []
        self._running: KeptDeal | None = None
        self._cut_turn: tuple[int, KeptDeal] | None = None
        # Seals and voids since a hand ended; None where some were not heard.
        self._since_hand: list[TableEvent] | None = None
        self._of_finished: set[DealKey] = set()  # Deals of a session that is over.
        self._has_heard = False

    def take(self, event: TableEvent) -> None:
        """Keep what a deal is checked against. Give every event once, in order."""
        kind = event.WhichOneof("event") or ""
        if not self._has_heard and event.number <= 1:
            self._since_hand = []
        self._has_heard = True
        if kind == "deck_sealed":
            self._sealed(event)
        elif kind in _ENDS:
            self._ended(kind, event)
        elif self._running is None:
            return
        elif kind == "action_required" and self._running.cut is None:
            self._cut_turn = (event.action_required.action_number, self._running)
        elif kind == "deck_cut":
            self._running.cut = self._running.cut or event
        elif kind in _OF_A_HAND:
            self._running.events.append(event)

    def _sealed(self, event: TableEvent) -> None:
        deal = KeptDeal(sealed=event)
        if self._since_hand is None and deal.key.attempt == 1:
            self._since_hand = []
        self._roots.append((deal.key, deal.root))
        self._cut_turn = None
        if deal.key in self._deals and deal.key not in self._of_finished:
            self._running = self._deals[deal.key]  # It keeps its first root; the second is one more root that was seen.
            self._running.earlier = [*(self._running.earlier or ()), event]
        else:
            deal.earlier = None if self._since_hand is None else list(self._since_hand)
            self._running = self._deals[deal.key] = deal
        if self._since_hand is not None:
            self._since_hand.append(event)

    def _ended(self, kind: str, event: TableEvent) -> None:
        running, self._running = self._running, None
        ends_session = kind in {"session_finished", "night_closed"}
        is_uncut = running is None or running.cut is None
        if running is not None and ends_session and is_uncut:
            del self._deals[running.key]  # No card came of it.
        elif running is not None:
            running.ended = event
        if ends_session and is_uncut:  # A playoff counts its deals from 1 again.
            self._of_finished = set(self._deals)
        if kind == "hand_ended" or (ends_session and is_uncut):
            self._since_hand = []
        elif kind == "hand_voided" and self._since_hand is not None:
            self._since_hand.append(event)

    def note_own_cut(self, action_number: int, position: int) -> None:
        """Keep where this client cut: call it when the cut was accepted, with the turn that it answered."""
        if self._cut_turn is not None and self._cut_turn[0] == action_number:
            self._cut_turn[1].own_cut = position

    @property
    def over(self) -> tuple[DealKey, ...]:
        """Deals that were played to their end or void, oldest first: those that can be checked."""
        return tuple(key for key, deal in self._deals.items() if deal.is_over)

    def deal_id(self, key: DealKey) -> DealId:
        """The deal's identity, as this client knows it.

        Raises:
            KeyError: no such deal was heard of.
        """
        return DealId(
            night_id=self._night_id,
            table_id=self._table_id,
            hand_number=key.hand_number,
            attempt=key.attempt,
            n_cards=self._deals[key].n_cards,
        )

    def check(self, key: DealKey, proof: DealProof) -> Verdict:
        """Check a deal against what was kept.

        Raises:
            KeyError: no such deal was heard of.
        """
        return self._deals[key].check(self.deal_id(key), proof, self._other_roots(key))

    def file_text(self, key: DealKey, proof: DealProof) -> str:
        """The deal, its proof and the other roots of the night, for `homegame verify`.

        Raises:
            KeyError: no such deal was heard of.
        """
        deal = self._deals[key]
        content = {
            "kind": FILE_KIND,
            "version": FILE_VERSION,
            "night_id": self._night_id,
            "table_id": self._table_id,
            "sealed": _to_json(deal.sealed),
            "cut": None if deal.cut is None else _to_json(deal.cut),
            "own_cut": deal.own_cut,
            "events": [_to_json(event) for event in deal.events],
            "earlier": None if deal.earlier is None else [_to_json(event) for event in deal.earlier],
            "ended": None if deal.ended is None else _to_json(deal.ended),
            "proof": _to_json(proof),
            "other_roots": [root.hex() for root in self._other_roots(key)],
        }
        return json.dumps(content, indent=1)

    def _other_roots(self, key: DealKey) -> tuple[bytes, ...]:
        first = self._roots.index((key, self._deals[key].root))
        return tuple(root for place, (_, root) in enumerate(self._roots) if place != first)


class UnreadableDealError(ValueError):
    """A file that holds no deal; the message says what is wrong with it."""


def check_file(text: str) -> tuple[DealId, Verdict]:
    """Check a deal written by `DealLog.file_text`.

    Raises:
        UnreadableDealError: it is no such file.
    """
    content = _content(text)
    try:
        is_old = content["version"] == _FILE_WITHOUT_FOLDS
        earlier, ended = (None, None) if is_old else (content["earlier"], content["ended"])
        deal = KeptDeal(
            sealed=_event(content["sealed"]),
            cut=None if content["cut"] is None else _event(content["cut"]),
            own_cut=content["own_cut"],
            events=[_event(event) for event in content["events"]],
            earlier=None if earlier is None else [_event(event) for event in earlier],
            ended=None if ended is None else _event(ended),
            tells_folds=not is_old,
        )
        proof = json_format.ParseDict(content["proof"], DealProof())
        deal_id = DealId(
            night_id=content["night_id"], table_id=content["table_id"], n_cards=deal.n_cards, **deal.key._asdict()
        )
        other_roots = [bytes.fromhex(root) for root in content["other_roots"]]
    except KeyError as error:
        raise UnreadableDealError(f"no deal in it: there is no {error}") from None
    except (json_format.ParseError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableDealError(f"no deal in it: a value is none that was written here: {error}") from None
    return deal_id, deal.check(deal_id, proof, other_roots)


def _content(text: str) -> dict[str, Any]:
    """What a file says, as far as its kind and the names in it. Raises UnreadableDealError."""
    try:
        content = json.loads(text)
        json.dumps(content, ensure_ascii=False).encode()  # Half of a character, as \\ud800 may spell it, is no text.
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UnreadableDealError(f"no deal in it: it is no JSON: {error.msg} ({place})") from None
    except (ValueError, RecursionError):
        raise UnreadableDealError("no deal in it: a number is too long, a list too deep, or half a character") from None
    if not isinstance(content, dict) or content.get("kind") != FILE_KIND or content.get("version") not in _VERSIONS:
        raise UnreadableDealError(f"not a {FILE_KIND} of version {FILE_VERSION}, as `homegame night --save` writes it")
    for name in ("night_id", "table_id"):
        if not isinstance(content.get(name), str):
            raise UnreadableDealError(f"no deal in it: {name}: expected a text")
    return content


def _event(content: dict[str, Any]) -> TableEvent:
    return json_format.ParseDict(content, TableEvent())


def _to_json(message: TableEvent | DealProof) -> dict[str, Any]:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)
