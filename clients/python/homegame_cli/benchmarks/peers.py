"""What others install with pip, on the same hands in the same run. None of it is needed; what is missing is passed over."""

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any, Final

from homegame_cli.benchmarks import evaluator, hands, rankings
from homegame_cli.benchmarks.figures import Figure, Setting, compare_best
from homegame_engine.evaluator.high import evaluate, evaluate_batch

_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "cdhs"
_N_POKERKIT_HANDS: Final = 100
_N_SLOW_EVALUATIONS: Final = 500


def compare(name: str, setting: Setting) -> Iterator[Figure]:
    """The further lines of a benchmark: ours beside each installed peer that does the same."""
    for peer, work in _PEERS.get(name, {}).items():
        try:
            reference = work(importlib.import_module(peer))
        except ModuleNotFoundError:
            setting.say(f"{name}: {peer} is not installed (pip install {peer})")
            continue
        setting.say(f"{name} beside {peer} …")
        pair = compare_best(_OURS[name](), reference, setting.seconds)
        yield Figure(f"{name}/{peer}", pair.value, "hands/s", f"{peer} {version(peer)}", pair.reference)


def _text(card: int) -> str:
    return _RANKS[card >> 2] + _SUITS[card & 3]


# --- Evaluators -------------------------------------------------------------------------------------------------------------


def _our_batch() -> Callable[[], int]:
    cards = evaluator.random_hands(evaluator.BATCH_HANDS)
    return lambda: len(evaluate_batch(cards))


def _our_calls() -> Callable[[], int]:
    return evaluator.calling(evaluate, evaluator.random_tuples(evaluator.CALL_HANDS))


def _phevaluator(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    # Its cards are 4 * rank + suit, too, with other suits first, which no rank depends on.
    hands_in_ints = evaluator.random_tuples(evaluator.CALL_HANDS)[:_N_SLOW_EVALUATIONS]
    evaluate_cards = module.evaluate_cards

    def work() -> int:
        for cards in hands_in_ints:
            evaluate_cards(*cards)
        return len(hands_in_ints)

    return work


def _eval7(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    made = [module.Card(_text(card)) for card in range(52)]
    hands_in_cards = [tuple(made[card] for card in cards) for cards in evaluator.random_tuples(evaluator.CALL_HANDS)]
    return evaluator.calling(module.evaluate, hands_in_cards)


def _pokerkit_evaluations(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    texts = ["".join(map(_text, cards)) for cards in evaluator.random_tuples(_N_SLOW_EVALUATIONS)]
    made = [tuple(module.Card.parse(text)) for text in texts]

    def work() -> int:
        for cards in made:
            module.StandardHighHand.from_game(cards)
        return len(made)

    return work


def _phevaluator_omaha(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    # It takes the board first.
    hands_in_ints = [(*cards[4:], *cards[:4]) for cards in _ranked_tuples("eval.omaha")]
    evaluate_cards = module.evaluate_omaha_cards

    def work() -> int:
        for cards in hands_in_ints:
            evaluate_cards(*cards)
        return len(hands_in_ints)

    return work


def _pokerkit_ranking(name: str, hand_type: str) -> Callable[[Any], Callable[[], int]]:
    def prepare(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
        n_hole = rankings.RANKED_HANDS[name].n_hole
        made = [
            tuple(tuple(module.Card.parse("".join(map(_text, part)))) for part in (cards[:n_hole], cards[n_hole:]))
            for cards in _ranked_tuples(name)
        ]
        ranked = getattr(module, hand_type)

        def work() -> int:
            for hole, board in made:
                ranked.from_game(hole, board)
            return len(made)

        return work

    return prepare


def _ranked_tuples(name: str) -> list[tuple[int, ...]]:
    n_cards = rankings.RANKED_HANDS[name].n_hole + rankings.RANKED_HANDS[name].n_board
    return [tuple(row) for row in evaluator.random_hands(_N_SLOW_EVALUATIONS, n_cards).tolist()]


# --- Whole hands ------------------------------------------------------------------------------------------------------------


def _our_fixed_limit() -> Callable[[], int]:
    return hands.playing(hands.fixed_limit_rules(), hands.STACK_CHIPS)


def _our_no_limit() -> Callable[[], int]:
    return hands.playing(hands.no_limit_rules(), hands.STACK_CHIPS)


def _pokerkit_fixed_limit(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    bets = (hands.BIG_BLIND_CHIPS, 2 * hands.BIG_BLIND_CHIPS)
    return _pokerkit(module, module.FixedLimitTexasHoldem, bets)


def _pokerkit_no_limit(module: Any) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    return _pokerkit(module, module.NoLimitTexasHoldem, (hands.BIG_BLIND_CHIPS,))


def _pokerkit(module: Any, game: Any, bets: tuple[int, ...]) -> Callable[[], int]:  # noqa: ANN401 - an optional module
    automations = tuple(module.Automation)
    blinds = (hands.SMALL_BLIND_CHIPS, hands.BIG_BLIND_CHIPS)

    def act(state: Any, rng: Random) -> None:  # noqa: ANN401 - of an optional module
        # As our loop decides: each legal kind with equal chances; everything else happens by itself.
        owes, may_wager = state.checking_or_calling_amount > 0, state.can_complete_bet_or_raise_to()
        choice = rng.randrange(1 + owes + may_wager)
        if choice == 0:
            state.check_or_call()
        elif choice == 1 and owes:
            state.fold()
        else:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(rng.randint(low, high))

    def work() -> int:
        # The same decisions in each turn: the best of turns with others would be the one with the shortest hands.
        rng = Random(1)  # noqa: S311 - these hands are counted, never scored
        for _ in range(_N_POKERKIT_HANDS):
            state = game.create_state(automations, True, 0, blinds, *bets, hands.STACK_CHIPS, hands.N_SEATS)  # noqa: FBT003
            while state.status:
                act(state, rng)
        return _N_POKERKIT_HANDS

    return work


_OURS: Final[dict[str, Callable[[], Callable[[], int]]]] = {
    "eval7.batch": _our_batch,
    "eval7.call": _our_calls,
    **{name: partial(rankings.ranking, name) for name in rankings.RANKED_HANDS},
    "hands.fixed_limit": _our_fixed_limit,
    "hands.no_limit": _our_no_limit,
}
_PEERS: Final[dict[str, dict[str, Callable[[Any], Callable[[], int]]]]] = {
    "eval7.batch": {"phevaluator": _phevaluator, "eval7": _eval7, "pokerkit": _pokerkit_evaluations},
    "eval7.call": {"phevaluator": _phevaluator, "eval7": _eval7, "pokerkit": _pokerkit_evaluations},
    "eval.omaha": {
        "phevaluator": _phevaluator_omaha,
        "pokerkit": _pokerkit_ranking("eval.omaha", "OmahaHoldemHand"),
    },
    "eval.ace_to_five": {"pokerkit": _pokerkit_ranking("eval.ace_to_five", "RegularLowHand")},
    "eval.deuce_to_seven": {"pokerkit": _pokerkit_ranking("eval.deuce_to_seven", "StandardLowHand")},
    "eval.badugi": {"pokerkit": _pokerkit_ranking("eval.badugi", "BadugiHand")},
    "hands.fixed_limit": {"pokerkit": _pokerkit_fixed_limit},
    "hands.no_limit": {"pokerkit": _pokerkit_no_limit},
}
