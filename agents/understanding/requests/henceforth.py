"""Another time for a series from now on: "can we do yoga at 7 from now on", "from now on the standup is on mondays"."""

from __future__ import annotations

WEEK = "mo tu we th fr sa su".split()
