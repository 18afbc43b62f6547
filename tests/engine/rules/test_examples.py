"""The rulebook's worked examples of betting streets and of winners, run as data (docs/rules/examples.json)."""

from __future__ import annotations

from typing import Any

import pytest

from homegame_engine.actions import AnyAction, Bet, Call, Check, Fold, Raise
from homegame_engine.betting import BettingRound
from homegame_engine.cards import parse_cards
from homegame_engine.errors import RuleViolation
from homegame_engine.evaluator import evaluate
from tests.rulebook_examples import Example, as_parameters, examples_of_kind
from tests.table_builders import DEEP, street_rules

FURTHER_PLAYER = "further player"


class NamedStreet:
    """A betting street whose seats are the letters of an example, in the order in which they act.

    The further live player that the book puts in every street sits last; when the turn comes round to it, it calls or
    checks, which gives nobody a right and takes none.
    """

    def __init__(self, given: dict[str, Any]) -> None:
        posts = given.get("posts", {})
        if "bring_in" in given:
            player, chips = given["bring_in"]
            posts = {player: chips}
        acting = [action["p"] for action in given["actions"]] + [given["next"]]
        self.players = [*dict.fromkeys([*posts, *acting]), FURTHER_PLAYER]
        all_in = {action["p"]: action["to"] for action in given["actions"] if action.get("all_in")}
        # A blind below its announced size is a player with nothing more, unless the example lets it act.
        for player, chips in posts.items():
            announced = given.get("blind_full", {}).get(player, chips)
            if chips < announced or (player == "BB" and chips < given.get("big_blind", 0)):
                all_in[player] = chips
        inc = given.get("inc", 0)
        least, greatest = given.get("range", [25, 100])
        self.betting = BettingRound(
            street_rules(
                given["structure"],
                small_blind_chips=posts.get("SB", 0),
                big_blind_chips=given.get("big_blind", 0),
                small_bet_chips=inc or 1,
                big_bet_chips=inc or 1,
                min_open_chips=given.get("min_open", given.get("big_blind", 1)),
                spread_min_chips=least,
                spread_max_chips=greatest,
            ),
            [all_in.get(player, DEEP) for player in self.players],
            increment_chips=inc,
            pot_before_chips=given.get("pot_before", 0),
            posts=[posts.get(player, 0) for player in self.players] if posts else None,
            announced_chips=[given.get("blind_full", {}).get(player, posts.get(player, 0)) for player in self.players],
            first_seat=len(posts),
            blind_is_opening=given.get("preflop", False),
        )

    def seat(self, player: str) -> int:
        return self.players.index(player)

    def pass_further_player(self) -> None:
        further_seat = self.seat(FURTHER_PLAYER)
        if self.betting.actor == further_seat:
            owed = self.betting.legal_actions(further_seat).call_chips
            self.betting.apply(further_seat, Call(call_chips=owed) if owed else Check())

    def act(self, given: dict[str, Any]) -> None:
        seat = self.seat(given["p"])
        if self.betting.actor != seat:
            self.pass_further_player()
        self.betting.apply(seat, self.action(seat, given))

    def action(self, seat: int, given: dict[str, Any]) -> AnyAction:
        level = self.betting.level_chips
        if given.get("fold"):
            return Fold()
        if given["to"] > level:
            return Raise(to_chips=given["to"]) if level else Bet(to_chips=given["to"])
        owed = self.betting.legal_actions(seat).call_chips
        return Call(call_chips=owed) if owed else Check()


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("street")))
def test_street_examples(example: Example) -> None:
    given, expected = example.input, example.expected
    named = NamedStreet(given)
    if "error" in expected:
        *accepted, refused = given["actions"]
        for action in accepted:
            named.act(action)
        assert refused["p"] == expected["at"]
        before = (named.betting.stacks, named.betting.actor, named.betting.level_chips)
        with pytest.raises(RuleViolation) as caught:
            named.act(refused)
        assert caught.value.reason == expected["error"]
        assert caught.value.rule_id in example.rule_ids
        assert (named.betting.stacks, named.betting.actor, named.betting.level_chips) == before
        return
    for action in given["actions"]:
        named.act(action)
    if named.betting.actor != named.seat(given["next"]):
        named.pass_further_player()
    seat = named.seat(given["next"])
    assert named.betting.actor == seat
    legal = named.betting.legal_actions(seat)
    assert legal.call_to_chips == expected["call_to"]
    assert ("bet" in legal.kinds or "raise" in legal.kinds) is expected["may_raise"]
    assert legal.wager_refusal == expected["reason"]
    assert legal.raise_to_min_chips == expected["min_to"]
    no_limit = expected["may_raise"] and expected["max_to"] is None
    assert legal.raise_to_max_chips == (DEEP if no_limit else expected["max_to"])


@pytest.mark.parametrize("example", as_parameters(examples_of_kind("winners")))
def test_winners_examples(example: Example) -> None:
    board = parse_cards(example.input["board"])
    ranks = {player: evaluate(parse_cards(hole) + board) for player, hole in example.input["hole"].items()}
    best = max(ranks.values())
    assert [player for player, rank in ranks.items() if rank == best] == example.expected["winners"]
