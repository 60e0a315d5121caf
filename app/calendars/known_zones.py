"""The zones of the time zone database, read once: a confined child can open no file when a name comes up."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from icalendar.timezone import tzp
from icalendar.timezone.zoneinfo import ZONEINFO

REGION_PREFIXES = ("Europe/", "America/", "Asia/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/", "Etc/")


@cache
def every_zone() -> dict[str, ZoneInfo]:
    """Every zone by its name; keeping them makes ZoneInfo find each without reading a file."""
    return {name: ZoneInfo(name) for name in sorted(available_timezones())}


@cache
def places() -> list[ZoneInfo]:
    """The zones that are named after places, not after abbreviations or files of old systems."""
    return [zone for name, zone in every_zone().items() if name.startswith(REGION_PREFIXES)]


class LoadedZones(ZONEINFO):
    """Gives icalendar the loaded zones."""

    def timezone(self, name: str) -> tzinfo | None:
        """The zone with a name, or None."""
        return every_zone().get(name)

    def knows_timezone_id(self, tzid: str) -> bool:
        """Whether there is such a zone."""
        return tzid in every_zone()


def need_no_files() -> None:
    """Let icalendar look zones up in memory from here on; every calendar of this process reads so."""
    every_zone()
    tzp.use(LoadedZones())
