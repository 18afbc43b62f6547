"""What the compiled loop reports is what the server's Session does with the same decks and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from homegame_engine import catalog
from homegame_engine.reasons import Reason
from homegame_engine.session import NO_CUTOFF, Session
from homegame_sim.deal import deck_order, mix_orders
from homegame_sim.philox import DECISION, Stream
from homegame_sim.policies import choose_action
from homegame_sim.run import run_blocks
from tests.sim.conftest import variant_of_b1

if TYPE_CHECKING:
    from homegame_engine.specs import FormatSpec

SEED = 77
HAND_MS = 1000


class BlockCase(NamedTuple):
    """A block to play both ways."""

    policy: str
    spec: FormatSpec
    block: int
    n_players: int
    hands: int
    cutoff_at_ms: int = NO_CUTOFF


class BlockFigures(NamedTuple):
    """A block's row, counted from what Session says."""

    win_units: list[int]
    net_chips: list[int]
    hands: int
    incomplete_orbits: int
    sole_owners: int
    ties: int
    carry_chips: int


def turned(mask: int, shift: int, n_seats: int) -> int:
    return sum(1 << (seat + shift) % n_seats for seat in range(n_seats) if mask >> seat & 1)


def play_session(case: BlockCase, first_button: int, shift: int) -> Session:
    """Play one session through the Python face; the player at seat s is the one numbered s + shift."""
    spec, n_players = case.spec, case.n_players
    game, house = catalog.game(spec.blocks[0].game), catalog.house(spec.house)
    session = Session.create(
        spec, game, house, n_seats=n_players, seated_mask=(1 << n_players) - 1, first_button=first_button
    )
    session.post_cutoff(case.cutoff_at_ms)
    for hand in range(case.hands):
        refusal = session.deal_refusal(hand * HAND_MS)
        if refusal is not None:
            assert refusal.reason in (Reason.CUTOFF_PASSED, Reason.TOO_FEW_PLAYERS)
            break
        order, mixes = (
            write(
                game,
                session.hand_rules,
                seed=SEED,
                block=case.block,
                hand=hand,
                n_players=n_players,
                dealt_mask=turned(session.coming_mask, shift, n_players),
                button=(session.button + shift) % n_players,
            )
            for write in (deck_order, mix_orders)
        )
        session.start_hand(hand * HAND_MS, order, mix_orders=mixes)
        streams = [
            Stream(seed=SEED, block=case.block, purpose=DECISION, player=(seat + shift) % n_players, hand=hand)
            for seat in range(n_players)
        ]
        while session.hand_is_live:
            session.apply(session.actor, choose_action(case.policy, session, streams[session.actor]))
    return session


def play_block(case: BlockCase, shift: int = 0) -> BlockFigures:
    """Play a block through the Python face and count."""
    n_players = case.n_players
    wins, nets = [0] * n_players, [0] * n_players
    n_hands = incomplete = sole = ties = carry = 0
    for first_button in range(n_players):
        session = play_session(case, first_button, shift)
        leaders = [placed.seat for placed in session.standings() if placed.place == 1]
        for seat in range(n_players):
            role = (seat - first_button) % n_players
            wins[role] += 2520 // len(leaders) if seat in leaders else 0
            nets[role] += session.stacks[seat] - session.format_spec.start.chips
        n_hands += session.hands_completed
        incomplete += session.ticked_mask != 0
        sole += session.has_sole_owner
        ties += len(leaders) > 1
        carry += session.carry_chips
    return BlockFigures(wins, nets, n_hands, incomplete, sole, ties, carry)


def compiled_block(case: BlockCase) -> BlockFigures:
    """Play the same block in the compiled loop."""
    spec = case.spec
    rows = run_blocks(
        spec,
        (catalog.game(spec.blocks[0].game),),
        catalog.house(spec.house),
        policy=case.policy,
        seed=SEED,
        n_players=case.n_players,
        first_block=case.block,
        n_blocks=1,
        hands_max=case.hands,
        cutoff_at_ms=case.cutoff_at_ms,
        hand_ms=HAND_MS,
    )
    return BlockFigures(
        rows.win_units[0].tolist(),
        rows.net_chips[0].tolist(),
        int(rows.hands[0]),
        int(rows.incomplete_orbits[0]),
        int(rows.sole_owners[0]),
        int(rows.ties[0]),
        int(rows.carry_chips[0]),
    )


DEEP, SHORT = "", "[start]\nchips = 9\n"
NO_LIMIT = '[betting]\nstructure = "NO_LIMIT"\n'


@pytest.mark.parametrize("policy", ["fold", "call", "random", "tight", "loose"])
@pytest.mark.parametrize(
    ("keys", "n_players"),
    [(DEEP, 6), (SHORT, 4), (NO_LIMIT, 3), (SHORT, 2)],
    ids=["deep", "short", "no_limit", "heads_up"],
)
def test_the_compiled_loop_and_session_agree(policy: str, keys: str, n_players: int) -> None:
    for block in range(3):
        case = BlockCase(policy, variant_of_b1(keys), block, n_players, hands=25, cutoff_at_ms=22_000)
        assert compiled_block(case) == play_block(case)


@pytest.mark.parametrize("policy", ["random", "loose"])
@pytest.mark.parametrize("shift", [1, 3])
def test_relabelling_the_players_leaves_every_number_of_a_block_unchanged(policy: str, shift: int) -> None:
    for block in range(4):
        case = BlockCase(policy, variant_of_b1(SHORT), block, n_players=4, hands=15)
        assert play_block(case, shift) == compiled_block(case)


# A full table of each: a stub that runs short of draws or of seventh cards, redeals, halves that are declared, cards passed on, a
# short deck and jokers, and a house that keeps the last card and carries odd units.
OTHER_GAMES = (
    ("FIVE_CARD_DRAW-CLUB", 8),
    ("BADUGI-CARDROOM", 7),
    ("STUD7-CARDROOM", 8),
    ("STUD_DECLARE-HOUSE_NIGHT", 7),
    ("JACKS_TRIPS-CLUB", 5),
    ("DRAW_DECLARE-HOUSE_NIGHT", 6),
    ("ANACONDA-CLUB", 7),
    ("IRISH-POINTS_NIGHT", 4),
    ("SHORT_HOLDEM-CLUB", 6),
    ("JOKER_DRAW-HOUSE_NIGHT", 8),
)


@pytest.mark.parametrize("policy", ["random", "loose"])
@pytest.mark.parametrize(("name", "n_players"), OTHER_GAMES)
def test_the_compiled_loop_and_session_agree_on_other_games(name: str, n_players: int, policy: str) -> None:
    case = BlockCase(policy, catalog.format_by(name), block=3, n_players=n_players, hands=6)
    assert compiled_block(case) == play_block(case)


def test_short_stacks_reach_every_way_a_session_ends() -> None:
    played = [
        play_block(BlockCase("random", variant_of_b1(SHORT), block, n_players=4, hands=40, cutoff_at_ms=30_000))
        for block in range(6)
    ]
    assert sum(figures.sole_owners for figures in played) > 0
    assert sum(figures.hands == 4 * 30 for figures in played) < len(played)
    assert any(figures.sole_owners < 4 for figures in played)
