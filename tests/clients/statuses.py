"""Refusals as the bytes that a server writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.rpc import code_pb2, error_details_pb2, status_pb2

from homegame_client.errors import DOMAIN

if TYPE_CHECKING:
    from collections.abc import Mapping


def status_bytes(reason: str, metadata: Mapping[str, str]) -> bytes:
    """A `google.rpc.Status` with one ErrorInfo."""
    status = status_pb2.Status(code=code_pb2.FAILED_PRECONDITION, message="A sentence.")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata))
    data: bytes = status.SerializeToString()
    return data
