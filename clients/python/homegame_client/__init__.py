"""SDK for the contract `homegame.v1`: typed calls and errors, streams that resume by themselves, bots.

Imports generated contract code and no rule of poker. The public names:
"""

from homegame_client.client import Client, TableRef
from homegame_client.deal_log import DealKey, DealLog
from homegame_client.errors import (
    ClientError,
    FaultError,
    FieldFault,
    GapError,
    GaveUpError,
    LaggedError,
    RefusedError,
    TransientError,
    UnavailableError,
)
from homegame_client.play_stream import PlayStream
from homegame_client.resuming import Frame
from homegame_client.retry import Backoff, RetryPolicy, Timing
from homegame_client.stream import TableStream
from homegame_client.table_state import TableState
from homegame_client.transport import GrpcTransport, Transport, open_channel

__all__ = [
    "Backoff",
    "Client",
    "ClientError",
    "DealKey",
    "DealLog",
    "FaultError",
    "FieldFault",
    "Frame",
    "GapError",
    "GaveUpError",
    "GrpcTransport",
    "LaggedError",
    "PlayStream",
    "RefusedError",
    "RetryPolicy",
    "TableRef",
    "TableState",
    "TableStream",
    "Timing",
    "TransientError",
    "Transport",
    "UnavailableError",
    "open_channel",
]
