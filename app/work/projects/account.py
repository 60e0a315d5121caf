"""Whether coding agents are kept from what is the server's: its data, its keys and its database's socket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.work.projects.children import ChildSurroundings, child

LOOK_SCRIPT = 'for path; do test -r "$path" && exit 9; test -w "$path" && exit 9; done; exit 0'
READABLE = 9
UNCONFINED = (
    "Coding agents would run with the server's own rights and could read its data. Let the server run as root and name "
    "an account for them in SUMMIT_AGENT_ACCOUNT, or accept it with SUMMIT_AGENTS_UNCONFINED=true."
)


ACCEPTED = (
    "Coding agents run with the server's own rights, as SUMMIT_AGENTS_UNCONFINED accepts: they can read and change "
    "whatever the server can."
)


@dataclass(frozen=True)
class Confinement:
    """Who agents are, and what they must not read; ``accepted`` says that the administrator takes the risk."""

    around: ChildSurroundings
    secrets: Sequence[Path]
    accepted: bool

    async def warning(self) -> str:
        """What the administrator has to know when the server starts; empty for nothing."""
        return await self.objection() or ("" if self.around.account else ACCEPTED)

    async def objection(self) -> str:
        """Why no agent may start here; empty where one may."""
        account = self.around.account
        if not account:
            return "" if self.accepted else UNCONFINED
        async with child(
            ["/bin/sh", "-c", LOOK_SCRIPT, "sh", *map(str, self.secrets)], Path("/"), self.around
        ) as looking:
            await looking.communicate()
        if looking.returncode == READABLE:
            return f"The account {account} of SUMMIT_AGENT_ACCOUNT can read the server's data; make that private."
        if looking.returncode:
            return f"The server cannot become {account}, which SUMMIT_AGENT_ACCOUNT names; only root can."
        return ""
