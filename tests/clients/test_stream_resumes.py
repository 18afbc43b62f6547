"""A watched table loses no event and repeats none, whatever happens to the connection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homegame.v1.errors_pb2 import Reason
from homegame_client import Client, GapError, GaveUpError, LaggedError, RefusedError, TableRef, TableStream
from homegame_client.errors import TransientError, UnavailableError
from tests.clients.fakes import JumpingTiming, ScriptedTransport, frame, quick_policy

LOST = UnavailableError("lost")
STOPPING = TransientError("bye", reason=Reason.REASON_STOPPING)
LAGGED = LaggedError("slow", reason=Reason.REASON_LAGGED)


def stream_over(transport: ScriptedTransport, timing: JumpingTiming, after_seq: int = 0) -> TableStream:
    client = Client(transport, retry=quick_policy(timing))
    return client.tables.watch(TableRef("night", "table"), after_seq=after_seq)


@pytest.mark.parametrize("failure", [LOST, STOPPING, LAGGED], ids=["lost", "STOPPING", "LAGGED"])
async def test_it_resumes_after_the_last_number_without_gap_or_repeat(failure: Exception) -> None:
    transport = ScriptedTransport([[frame(4, 5), frame(6), failure], [failure], [frame(7, 8)]])
    stream = stream_over(transport, JumpingTiming(), after_seq=3)
    assert [event.number async for event in stream] == [4, 5, 6, 7, 8]
    assert transport.after_seqs == [3, 6, 6]
    assert stream.breaks == 2


async def test_events_sent_twice_are_handed_out_once() -> None:
    transport = ScriptedTransport([[frame(1, 2), frame(2, 3), frame(1, 2, 3), frame(4)]])
    assert [event.number async for event in stream_over(transport, JumpingTiming())] == [1, 2, 3, 4]


async def test_a_gap_makes_it_ask_again_from_the_last_number() -> None:
    transport = ScriptedTransport([[frame(1, 2), frame(4, 5)], [frame(3, 4), frame(5)]])
    assert [event.number async for event in stream_over(transport, JumpingTiming())] == [1, 2, 3, 4, 5]
    assert transport.after_seqs == [0, 2]


async def test_a_gap_inside_a_frame_hands_out_nothing_of_that_frame() -> None:
    transport = ScriptedTransport([[frame(1, 3)], [frame(1, 2, 3)]])
    assert [event.number async for event in stream_over(transport, JumpingTiming())] == [1, 2, 3]


async def test_a_server_that_always_skips_is_reported() -> None:
    transport = ScriptedTransport([[frame(1)], [frame(3)], [frame(3)], [frame(3)]])
    transport.script[0] = [frame(1), frame(3)]
    with pytest.raises(GapError, match="after number 1 "):
        [event async for event in stream_over(transport, JumpingTiming())]


async def test_lagging_once_is_resumed_at_once_and_a_lost_connection_after_a_pause() -> None:
    timing = JumpingTiming()
    transport = ScriptedTransport([[frame(1), LAGGED], [frame(2), LOST], [LOST], [frame(3)]])
    assert [event.number async for event in stream_over(transport, timing)] == [1, 2, 3]
    assert timing.waited_s == [0.075, 0.15]


async def test_the_deadline_counts_from_the_last_sign_of_life() -> None:
    timing = JumpingTiming()
    broken: list[list[object]] = [[LOST] for _ in range(25)]
    transport = ScriptedTransport([*broken, [frame(1), LOST], *broken, [frame(2)]])  # type: ignore[list-item]
    assert [event.number async for event in stream_over(transport, timing)] == [1, 2]
    assert timing.at_s > 1030.0


async def test_it_gives_up_when_the_server_stays_away() -> None:
    transport = ScriptedTransport([[LOST] for _ in range(100)])
    with pytest.raises(GaveUpError):
        [event async for event in stream_over(transport, JumpingTiming())]


async def test_a_refusal_ends_it() -> None:
    refusal = RefusedError(reason=Reason.REASON_NOT_FOUND, reason_name="NOT_FOUND")
    transport = ScriptedTransport([[frame(1), refusal]])
    with pytest.raises(RefusedError):
        [event async for event in stream_over(transport, JumpingTiming())]


async def test_a_new_stream_goes_on_where_an_old_one_was_left() -> None:
    transport = ScriptedTransport([[frame(1, 2), frame(3)]])
    stream = stream_over(transport, JumpingTiming())
    async for event in stream:
        if event.number == 2:
            break
    assert stream.last_number == 2


@given(
    cuts=st.lists(st.integers(min_value=0, max_value=12), max_size=8), sizes=st.lists(st.integers(1, 4), max_size=12)
)
async def test_any_pattern_of_breaks_and_frames_gives_every_number_once(cuts: list[int], sizes: list[int]) -> None:
    last = 12
    timing = JumpingTiming()

    class Server(ScriptedTransport):
        async def stream(self, rpc, request, *, token):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            del rpc, token
            number = request.after_seq
            cut = cuts.pop(0) if cuts else None
            todo = list(sizes)
            while number < last:
                if cut is not None and number >= cut:
                    raise LOST
                size = min(todo.pop(0) if todo else 1, last - number)
                yield frame(*range(number + 1, number + size + 1))
                number += size

    assert [event.number async for event in stream_over(Server([]), timing)] == list(range(1, last + 1))
