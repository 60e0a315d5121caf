"""Where the server is; a client that asks needs none of what a server imports."""

from __future__ import annotations


def base_url(host: str, port: int, scheme: str = "http") -> str:
    """Where a browser on this machine finds the server."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 - shown, not bound
    return f"{scheme}://[{shown}]:{port}" if ":" in shown else f"{scheme}://{shown}:{port}"
