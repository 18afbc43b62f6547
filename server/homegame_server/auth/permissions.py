"""Who may call what: one row for each RPC. An RPC without a row is served to nobody."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from homegame_engine.errors import NotAllowed
from homegame_engine.reasons import Reason
from homegame_server.auth.tokens import SPECTATOR, Caller, Role, TokenSigner, unauthenticated


class Access(Enum):
    """What an RPC asks of its caller."""

    OPEN = "OPEN"  # No token; one that is sent is not looked at.
    VIEWER = "VIEWER"  # A token shows more; without one the caller is a spectator.
    PERSON = "PERSON"  # The token of somebody in the night, the host included.
    HOST = "HOST"  # The host's token.


class Permission(NamedTuple):
    """A row: what is asked, and whether the RPC changes anything."""

    access: Access
    is_mutation: bool


PERMISSIONS: Final = {
    "/homegame.v1.CatalogService/ListGames": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/GetGame": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/CheckGame": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/ListHouses": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/ListFormats": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/GetFormat": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/GetRankCard": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/GetOdds": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.CatalogService/GetHandFrequencies": Permission(Access.OPEN, is_mutation=False),
    "/homegame.v1.NightService/CreateNight": Permission(Access.OPEN, is_mutation=True),
    "/homegame.v1.NightService/PostCutoff": Permission(Access.HOST, is_mutation=True),
    "/homegame.v1.NightService/RecordReadAloud": Permission(Access.HOST, is_mutation=True),
    "/homegame.v1.NightService/OpenNight": Permission(Access.HOST, is_mutation=True),
    "/homegame.v1.NightService/CloseNight": Permission(Access.HOST, is_mutation=True),
    "/homegame.v1.NightService/VoidHand": Permission(Access.HOST, is_mutation=True),
    "/homegame.v1.NightService/GetNight": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.NightService/GetScoresheet": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.TableService/JoinTable": Permission(Access.OPEN, is_mutation=True),
    "/homegame.v1.TableService/TakeSeat": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/LeaveTable": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/AcknowledgePosting": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/SitOut": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/SitIn": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/AgreeToResets": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/ResetStack": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/AskForPlayoff": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.TableService/GetTable": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.TableService/WatchTable": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.PlayService/Act": Permission(Access.PERSON, is_mutation=True),
    # Opening the stream changes nothing; each decision on it is a call of its own.
    "/homegame.v1.PlayService/Play": Permission(Access.PERSON, is_mutation=False),
    "/homegame.v1.PlayService/UseTimeBank": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.PlayService/CallGame": Permission(Access.PERSON, is_mutation=True),
    "/homegame.v1.HandService/GetHand": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.HandService/ListHands": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.HandService/ExportHand": Permission(Access.VIEWER, is_mutation=False),
    "/homegame.v1.HandService/GetDealProof": Permission(Access.VIEWER, is_mutation=False),
}


def authorise(permission: Permission, signer: TokenSigner, authorization: str | None, night_id: str) -> Caller:
    """Return who calls, if they may.

    Args:
        permission: The RPC's row.
        signer: Reads tokens.
        authorization: The metadata of that name, `Bearer TOKEN`, or None.
        night_id: The night the request speaks of.

    Raises:
        NotAllowed: UNAUTHENTICATED; NOT_HOST for a participant where the host is asked for.
    """
    if permission.access is Access.OPEN:
        return SPECTATOR
    if authorization is None:
        if permission.access is Access.VIEWER:
            return SPECTATOR
        raise unauthenticated("This needs a token: authorization: Bearer TOKEN.")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise unauthenticated("The metadata must read authorization: Bearer TOKEN.")
    caller = signer.read(token)
    if caller.night_id != night_id:
        raise unauthenticated("The token is of another night.")
    if permission.access is Access.HOST and caller.role is not Role.HOST:
        raise NotAllowed(Reason.NOT_HOST, "Only the host may do this.")
    return caller
