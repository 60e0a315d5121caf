"""Compares the changes and the reply of a turn with what a conversation corpus expects.

A change is its JSON form as the API shows it: op, kind, status, before, after, conflicts. ``tz`` is the speaker's zone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.records import Kind, title_of

Row = dict[str, Any]
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT")


def fault(expect: Row, disposition: str, changes: Sequence[Row], reply: str, tz: str) -> str | None:
    """What is wrong with a turn; None when it is right."""
    left = [change for change in changes if change["status"] == "applied"]
    for wanted in expect["changes"]:
        hit = next((change for change in left if matches(change, wanted, tz)), None)
        if hit is None:
            return f"lacks {json.dumps(wanted)}"
        left.remove(hit)
    if left:
        return f"also {[(change['op'], change['kind'], change['title']) for change in left]}"
    if disposition not in expect["disposition"] and not (expect["changes"] and disposition == "dispatch"):
        return f"disposition {disposition}"
    return _wrong_words(expect, reply.lower())


def _wrong_words(expect: Row, reply: str) -> str | None:
    missing = [
        words for words in expect.get("reply_has", []) if not any(word in reply for word in words.lower().split("|"))
    ]
    extra = [words for words in expect.get("reply_lacks", []) if words.lower() in reply]
    return f"reply lacks {missing} or has {extra}: {reply[:200]}" if missing or extra else None


def matches(change: Row, wanted: Row, tz: str) -> bool:
    """Whether a change is the expected one."""
    ops = {"archive", "delete"} if wanted["op"] in ("archive", "delete") else {wanted["op"]}
    if wanted["kind"] == "profile" and wanted["op"] != "undo":
        ops |= {"create", "update"}
    if change["op"] not in ops or change["kind"] != wanted["kind"]:
        return False
    named = change["before"] or change["after"] or {}
    if wanted.get("match") and not holds(all_text(change["kind"], named), wanted["match"].lstrip("~")):
        return False
    after = local(change["after"] or {}, tz)
    return all(_field_matches(after, change, name, value) for name, value in wanted.get("fields", {}).items())


def _field_matches(after: Row, change: Row, name: str, value: Any) -> bool:
    if name == "conflict":
        return bool(change.get("conflicts")) is bool(value)
    if name == "content" and change["kind"] == "note":
        return same_value(all_text("note", after), value, name)
    return same_value(after.get(name), value, name)


def holds(text: str, wanted: str) -> bool:
    """Whether a text contains words in order."""
    return re.search(".*".join(re.escape(word) for word in wanted.lower().split()), text.lower(), re.DOTALL) is not None


def same_value(got: Any, wanted: Any, name: str) -> bool:
    """Whether a stored field is what was expected."""
    if wanted is None or isinstance(wanted, bool | int):
        return bool(got == wanted or (wanted is None and got in ("", [])))
    if isinstance(wanted, list):
        texts = [item if isinstance(item, str) else item.get("text", "") for item in got or []]
        enough = name != "items" or len(texts) == len(wanted)
        return enough and all(any(holds(text, item.lstrip("~")) for text in texts) for item in wanted)
    if name == "recurrence":
        return rule_parts(got) == rule_parts(wanted)
    if isinstance(wanted, str) and wanted.startswith("~"):
        return holds(str(got), wanted[1:])
    return str(got)[: len(wanted)] == wanted if INSTANT.match(str(wanted)) else bool(got == wanted)


def all_text(kind: Kind, record: Row) -> str:
    """What names a record."""
    if kind == "note":
        items = " ".join(item["text"] for item in record.get("items", []))
        return f"{record.get('summary', '')} {record.get('content', '')} {items}"
    return title_of(kind, record) if record else ""


def local(record: Row, tz: str) -> Row:
    """Instants as local wall time to the minute."""
    zone = ZoneInfo(tz)

    def said(value: Any) -> Any:
        if isinstance(value, str) and INSTANT.match(value):
            return datetime.fromisoformat(value).astimezone(zone).strftime("%Y-%m-%dT%H:%M")
        return value

    return {name: said(value) for name, value in record.items()}


def rule_parts(rule: str | None) -> dict[str, str]:
    """Return an RRULE by parts, without the ones that say nothing."""
    parts = dict(part.split("=", 1) for part in (rule or "").replace("+", "").split(";") if "=" in part)
    for name, idle in (("INTERVAL", "1"), ("WKST", None), ("BYMINUTE", "0"), ("BYSECOND", None)):
        if idle is None or parts.get(name) == idle:
            parts.pop(name, None)
    if parts.get("UNTIL"):
        parts["UNTIL"] = parts["UNTIL"][:8]
    return {name: ",".join(sorted(value.split(","))) for name, value in parts.items()}
