"""Answers from calendars kept elsewhere: what it means for their account that a request could not be sent."""

from __future__ import annotations

from app.boundary.model import Fetched, OutboundCall, OutboundCalls, TargetFailed, TargetRefused
from app.calendars.model.synced import RemoteFailed, RemoteRefused


async def answer_of(outbound: OutboundCalls, call: OutboundCall) -> Fetched:
    """The answer, whatever its status. Raises RemoteRefused and RemoteFailed."""
    try:
        return await outbound.request(call)
    except TargetRefused as refused:
        raise RemoteRefused(str(refused)) from refused
    except TargetFailed as failed:
        raise RemoteFailed(str(failed)) from failed
