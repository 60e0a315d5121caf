"""Whether coding agents are kept from what is the server's: its data folder and its database's socket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.projects.children import Surroundings, child

LOOK = 'for path; do test -r "$path" && exit 9; done; exit 0'
READABLE = 9
UNCONFINED = (
    "Coding agents would run with the server's own rights and could read its data. Let the server run as root and name "
    "an account for them in SUMMIT_AGENT_ACCOUNT, or accept it with SUMMIT_AGENTS_UNCONFINED=true."
)


@dataclass(frozen=True)
class Confinement:
    """Who agents are, and what they must not read; ``accepted`` says that the administrator takes the risk."""

    around: Surroundings
    secrets: Sequence[Path]
    accepted: bool

    async def objection(self) -> str:
        """Why no agent may start here; empty where one may."""
        account = self.around.account
        if not account:
            return "" if self.accepted else UNCONFINED
        async with child(["/bin/sh", "-c", LOOK, "sh", *map(str, self.secrets)], Path("/"), self.around) as looking:
            await looking.communicate()
        if looking.returncode == READABLE:
            return f"The account {account} of SUMMIT_AGENT_ACCOUNT can read the server's data; make that private."
        if looking.returncode:
            return f"The server cannot become {account}, which SUMMIT_AGENT_ACCOUNT names; only root can."
        return ""
