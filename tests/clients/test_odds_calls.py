"""The SDK's odds: progress is shown, the last message is the answer, a broken stream is asked again."""

from __future__ import annotations

import pytest

from homegame.v1.catalog_service_pb2 import (
    GetHandFrequenciesRequest,
    GetHandFrequenciesResponse,
    GetOddsRequest,
    GetOddsResponse,
)
from homegame.v1.odds_pb2 import HandFrequencies, Odds, OddsProgress
from homegame_client import GaveUpError, rpcs
from homegame_client.client import Client
from homegame_client.errors import TransientError
from tests.clients.fakes import JumpingTiming, ScriptedTransport, quick_policy

HALF = GetOddsResponse(progress=OddsProgress(deals=5, deals_total=10))
WHOLE = GetOddsResponse(progress=OddsProgress(deals=10, deals_total=10))
ANSWER = GetOddsResponse(odds=Odds(is_exact=True, deals=10))


async def test_progress_is_shown_and_the_last_message_is_the_answer() -> None:
    transport = ScriptedTransport([[HALF, WHOLE, ANSWER]])
    shown: list[int] = []
    request = GetOddsRequest(game_id="HOLDEM")
    odds = await Client(transport).catalog.get_odds(request, show=lambda progress: shown.append(progress.deals))
    assert odds == ANSWER.odds
    assert shown == [5, 10]
    assert [(sent.path, sent.request) for sent in transport.sent] == [(rpcs.GET_ODDS.path, request)]


async def test_a_stream_that_breaks_or_ends_too_early_is_asked_again() -> None:
    transport = ScriptedTransport([[HALF, TransientError("gone")], [HALF], [ANSWER]])
    client = Client(transport, retry=quick_policy(JumpingTiming()))
    assert await client.catalog.get_odds(GetOddsRequest(game_id="HOLDEM")) == ANSWER.odds
    assert len(transport.sent) == 3
    silent = Client(ScriptedTransport([[HALF]] * 100), retry=quick_policy(JumpingTiming(), deadline_s=1.0))
    with pytest.raises(GaveUpError):
        await silent.catalog.get_odds(GetOddsRequest(game_id="HOLDEM"))


async def test_frequencies_come_in_the_same_way() -> None:
    answer = GetHandFrequenciesResponse(frequencies=HandFrequencies(deals=7))
    progress = GetHandFrequenciesResponse(progress=OddsProgress(deals=7, deals_total=7))
    transport = ScriptedTransport([[progress, answer]])
    found = await Client(transport).catalog.get_hand_frequencies(GetHandFrequenciesRequest(game_id="STUD7"))
    assert found == answer.frequencies
