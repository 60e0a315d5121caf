"""Who the current work is done for: a context variable that storage turns into row-level security."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Fence:
    """A turn's claim: writes under it fail once another server has taken the turn over."""

    turn_id: UUID
    generation: int


@dataclass(frozen=True)
class Principal:
    """The user whose rows may be seen and written, and the claim under which writes happen."""

    user_id: UUID
    fence: Fence | None = None


class NoPrincipal(RuntimeError):  # noqa: N818 - it names what is missing
    """Nobody is acting here: wrap the call in `with acting_as(Principal(user_id)):`."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class StaleLease(RuntimeError):  # noqa: N818 - field term
    """Another server has taken this turn over; nothing of this write was kept."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


_acting: ContextVar[Principal] = ContextVar("summit_principal")
_actor: ContextVar[str] = ContextVar("summit_actor", default="")


@contextmanager
def signed_as(actor: str) -> Iterator[None]:
    """Whoever is named in the audit log for what is done inside."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)


def current_actor() -> str:
    """Who is to be named in the audit log; empty where nobody said."""
    return _actor.get()


@contextmanager
def acting_as(principal: Principal) -> Iterator[Principal]:
    """Do everything inside, tasks started there included, for ``principal``."""
    token = _acting.set(principal)
    try:
        yield principal
    finally:
        _acting.reset(token)


def current_fence() -> Fence | None:
    """The claim under which this context writes; None where nobody runs a turn."""
    principal = _acting.get(None)
    return principal.fence if principal else None


def acting_user() -> UUID | None:
    """The user of this context; None where nobody acts."""
    principal = _acting.get(None)
    return principal.user_id if principal else None


def current_principal() -> Principal:
    """The principal of this context; raises NoPrincipal when there is none."""
    try:
        return _acting.get()
    except LookupError:
        raise NoPrincipal from None


EVERYBODY = UUID(int=0)
"""The owner of what the administrator sets for all users."""
