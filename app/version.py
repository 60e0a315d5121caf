"""Which Summit this is."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version


@lru_cache
def summit_version() -> str:
    """The installed version; ``0+source`` when Summit runs from a folder that was never installed."""
    try:
        return version("summit")
    except PackageNotFoundError:
        return "0+source"
