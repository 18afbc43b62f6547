"""Live decks are uniform and secret tokens deterministic: what the server draws, and what it must not."""

from __future__ import annotations

import itertools
import stat
from typing import TYPE_CHECKING

import jwt
import pytest

from homegame_engine.cards import full_deck
from homegame_engine.errors import NotAllowed, ServiceReason
from homegame_server.auth.tokens import Caller, Role, TokenSigner, load_or_make_key
from homegame_server.runtime.entropy import Entropy, SystemEntropy
from homegame_server.runtime.evidence import Evidence

if TYPE_CHECKING:
    from pathlib import Path

HOST = Caller(Role.HOST, "night-1", "person-1")


class EveryDraw(Entropy):
    """Plays through all draws of a small deck, each once."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        self._draws = iter(draws)

    def draw_below(self, bound: int) -> int:
        drawn = next(self._draws, 0)
        assert 0 <= drawn < bound
        return drawn

    def new_id(self, prefix: str) -> str:
        return prefix


def test_the_shuffle_reaches_every_order_of_the_last_cards_exactly_once() -> None:
    # The first four draws place the last four cards; all 52·51·50·49 of them lead to different places. Four draws of
    # 0, 17, 34 and the greatest stand for the whole range.
    choices = [(0, 17, 34, 51 - step) for step in range(4)]
    seen = {EveryDraw(draws).shuffle_deck() for draws in itertools.product(*choices)}
    assert len(seen) == 4**4
    assert all(sorted(deck) == list(range(52)) for deck in seen)


def test_the_shuffle_draws_below_each_bound_once() -> None:
    bounds: list[int] = []

    class Noting(EveryDraw):
        def draw_below(self, bound: int) -> int:
            bounds.append(bound)
            return bound - 1

    assert Noting(()).shuffle_deck() == bytes(full_deck())
    assert bounds == list(range(52, 1, -1))


def test_live_decks_hold_each_card_once_and_differ() -> None:
    decks = {SystemEntropy().shuffle_deck() for _ in range(20)}
    assert len(decks) == 20
    assert all(sorted(deck) == list(range(52)) for deck in decks)


def test_each_card_comes_to_each_place_about_equally_often() -> None:
    # 4,000 decks, 77 expected a place: chi-square over 52 places of one card, 51 degrees of freedom. 120 is passed by
    # chance once in 10^7 runs.
    counts = [0] * 52
    for _ in range(4000):
        counts[SystemEntropy().shuffle_deck().index(51)] += 1
    expected = 4000 / 52
    assert sum((count - expected) ** 2 / expected for count in counts) < 120


def test_a_token_is_the_same_for_the_same_person_and_moment() -> None:
    first, second = TokenSigner(bytes(32)), TokenSigner(bytes(32))
    assert first.sign(HOST, 1_800_000_000_123) == second.sign(HOST, 1_800_000_000_999)
    assert first.read(second.sign(HOST, 5000)) == HOST


@pytest.mark.parametrize("spoil", ["", "x.y.z", "no token"])
def test_what_is_no_token_is_refused(spoil: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        TokenSigner(bytes(32)).read(spoil)
    assert refused.value.reason is ServiceReason.UNAUTHENTICATED


def test_a_token_of_another_key_or_with_another_role_is_refused() -> None:
    token = TokenSigner(b"other key, other key, other key!").sign(HOST, 5000)
    ours = TokenSigner(bytes(32))
    header, _, signature = ours.sign(HOST, 5000).split(".")
    forged_body = ours.sign(Caller(Role.HOST, "night-2", "person-1"), 5000).split(".")[1]
    for forged in (token, f"{header}.{forged_body}.{signature}"):
        with pytest.raises(NotAllowed):
            ours.read(forged)


def test_an_unsigned_token_is_refused() -> None:
    claims = {"iss": "homegame", "sub": "person-1", "night": "night-1", "role": "HOST"}
    with pytest.raises(NotAllowed):
        TokenSigner(bytes(32)).read(jwt.encode(claims, "", algorithm="none"))


def test_the_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "token.key"
    key = load_or_make_key(path)
    assert load_or_make_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    # A copy of the folder may be open to others; what is there is closed to them again.
    path.chmod(0o644)
    path.parent.chmod(0o755)
    assert load_or_make_key(path) == key
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)
    assert [entry.name for entry in path.parent.iterdir()] == ["token.key"]


def test_a_damaged_key_is_an_error_not_a_new_key(tmp_path: Path) -> None:
    path = tmp_path / "token.key"
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="restore it"):
        load_or_make_key(path)


def test_what_stopped_a_table_is_for_the_operator_alone(tmp_path: Path) -> None:
    # It may hold a deck.
    folder = tmp_path / "evidence"
    folder.mkdir(mode=0o755)
    (folder / "night-1-7.txt").touch(mode=0o644)
    Evidence(folder).keep("night-1", 7, ValueError("broken"), b"a deck")
    (file,) = folder.iterdir()
    assert b"a deck" in file.read_bytes()
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(folder.stat().st_mode)) == (0o600, 0o700)
