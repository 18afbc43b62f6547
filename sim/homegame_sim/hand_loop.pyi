"""Types of the compiled module `hand_loop`; see hand_loop.pxd."""

from typing import NamedTuple

from homegame_engine.specs import FormatSpec, GameSpec, HandRules, HouseSpec

class LoopCounts(NamedTuple):
    """What a loop played: hands, actions, a checksum over final stacks that equal seeds repeat, cards shuffled for a hand."""

    hands: int
    actions: int
    checksum: int
    cards: int

def play_random_hands(
    game: GameSpec, rules: HandRules, *, n_hands: int, n_seats: int = 6, stack_chips: int = 200, seed: int = 1
) -> LoopCounts:
    """Play hands of any game with equal stacks, the button moving one seat a hand, every decision random among what is legal.

    Numbers of cards to change, the cards, and halves are as random. What is carried to a next hand (POT-SPLIT-03, GAME-DC-06) is
    left out of it.

    Raises:
        InputError: seats, hands, chips or a seed that no loop takes.
        InvariantError: the core refused what it called legal.
    """

def play_random_sessions(
    format_spec: FormatSpec,
    game: GameSpec,
    house: HouseSpec,
    *,
    n_hands: int,
    n_seats: int = 6,
    hands_per_session: int = 24,
    seed: int = 1,
) -> LoopCounts:
    """Play whole sessions in rotation blocks until `n_hands` are complete: button, levels, sheet totals and orbits included.

    Raises as `play_random_hands`.
    """
