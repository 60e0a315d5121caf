"""Judges a played turn by its outcome: ledger rows, question and reply."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.conversations.judging import INSTANT, all_text, holds, local, same_value
from tests.support.model_quality.stage import Played
from tests.support.model_quality.turns import DAY, FOLDER

Row = dict[str, Any]
Result = Literal["right", "wrong change", "held", "refused", "reply"]
Cause = Literal["code", "model", ""]
RESULTS: tuple[Result, ...] = ("right", "wrong change", "held", "refused", "reply")
OPS = {"archive": {"archive", "delete"}, "delete": {"archive", "delete"}}
WAITING = ("needs_confirmation", "applied")


@dataclass(frozen=True)
class Verdict:
    """``held``: what was to be changed waits for an answer; ``refused``: it was dropped, or a question not answered.

    ``reply``: all changes are right, but not what was said of them. ``cause`` is who made a wrong change.
    """

    result: Result
    why: str = ""
    cause: Cause = ""


@dataclass(frozen=True)
class Fit:
    """How well rows fit one set of expected changes."""

    lacks: list[Row]
    extra: list[Row]


def judged(played: Played) -> Verdict:
    """The verdict on one turn."""
    expect = played.turn.expect
    allowed = WAITING if expect.get("held_ok") else ("applied",)
    rows = [row for row in played.changes if row["status"] in allowed]
    fit = _fit(expect, rows, played.case.zone)
    if fit.extra:
        return Verdict("wrong change", _told(fit), _cause(fit, played))
    asks = played.question is not None or any(row["status"] == "needs_confirmation" for row in played.changes)
    if fit.lacks:
        return Verdict("held" if asks else "refused", _told(fit))
    wrong = _wrong_reply(expect, played, rows, asks=asks or "?" in played.reply)
    if not wrong:
        return Verdict("right")
    nothing = not rows and not (expect.get("asks") or expect.get("at_least"))
    return Verdict("refused" if nothing else "reply", wrong)


def _fit(expect: Row, rows: Sequence[Row], zone: str) -> Fit:
    if "at_least" in expect:
        return _counted(expect["at_least"], rows)
    fits = [_against(wanted, expect.get("may", ()), rows, zone) for wanted in expect["changes"]]
    return min(fits, key=lambda fit: (len(fit.lacks) + len(fit.extra), len(fit.extra)))


def _counted(wanted: Row, rows: Sequence[Row]) -> Fit:
    fitting = [row for row in rows if row["op"] == wanted["op"] and row["kind"] in wanted["kinds"]]
    lacks = [wanted] if len(fitting) < wanted["count"] else []
    return Fit(lacks, [row for row in rows if row not in fitting])


def _against(wanted: Sequence[Row], may: Sequence[Row], rows: Sequence[Row], zone: str) -> Fit:
    left, lacks = list(rows), []
    for one in wanted:
        hit = next((row for row in left if _matches(row, one, zone)), None)
        if hit is None:
            lacks.append(one)
        else:
            left.remove(hit)
    return Fit(lacks, [row for row in left if not any(_matches(row, one, zone) for one in may)])


def _matches(row: Row, wanted: Row, zone: str) -> bool:
    ops = {op for one in _several(wanted["op"]) for op in OPS.get(one, {one})}
    if wanted["kind"] == "profile":
        ops |= {"create", "update"}
    if row["op"] not in ops or row["kind"] != wanted["kind"]:
        return False
    named = row["before"] or row["after"]
    text = all_text(row["kind"], named) if named else str(row["title"])
    if wanted.get("match") and not _says(text, wanted["match"]):
        return False
    if "says" in wanted and not _says(json.dumps(row["after"] or {}, ensure_ascii=False), wanted["says"]):
        return False
    after = local(_waiting(row) if row["status"] == "needs_confirmation" else row["after"] or {}, zone)
    return all(_is(after, row["kind"], name, value) for name, value in wanted.get("fields", {}).items())


def _waiting(row: Row) -> Row:
    """What a change that waits for a yes would lead to: its row holds no state after it."""
    return {**(row["before"] or {}), **(row["fields"] or {})}


def _several(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _says(text: str, wanted: str) -> bool:
    return any(holds(text, one) for one in wanted.lstrip("~").split("|"))


def _is(after: Row, kind: Any, name: str, value: Any) -> bool:
    """Whether a field of a record is as expected."""
    if isinstance(value, dict) and "any" in value:
        return any(_is(after, kind, name, one) for one in value["any"])
    if isinstance(value, dict):
        return len(after.get(name) or ()) >= int(value["count"])
    if name == "ticked":
        return _ticked(after.get("items") or [], value)
    if name == "exdates":
        return all(any(str(day).startswith(one.lstrip("~")) for day in after.get(name) or ()) for one in value)
    text = all_text(kind, after) if name == "content" else after.get(name)
    if isinstance(value, str) and value.startswith("~"):
        return _says(str(text), value)
    return same_value(text, value, name)


def _ticked(items: Sequence[Row], wanted: Sequence[str]) -> bool:
    done = [str(item["text"]) for item in items if item.get("done")]
    return len(done) == len(wanted) and all(any(holds(text, one) for text in done) for one in wanted)


def _wrong_reply(expect: Row, played: Played, rows: Sequence[Row], *, asks: bool) -> str:
    reply = played.reply
    said = reply.lower()
    checks = {
        f"disposition {played.disposition}": played.disposition in expect.get("disposition", [played.disposition]),
        f"asks: {played.question}": expect.get("asks", asks) == asks,
        "changes nothing and shows nothing": bool(rows) or _lines(reply) >= expect.get("lines_if_nothing", 0),
        "changes nothing and asks nothing": not expect.get("ask_if_nothing") or bool(rows) or asks,
        "too short": len(reply.strip()) >= expect.get("reply_chars", 1),
        "too few lines": _lines(reply) >= expect.get("reply_lines", 0),
        f"not in {expect.get('language')}": not expect.get("language") or in_language(reply, expect["language"]),
    }
    missing = [words for words in expect.get("reply_has", ()) if not any(w in said for w in words.lower().split("|"))]
    extra = [words for words in expect.get("reply_lacks", ()) if words.lower() in said]
    checks[f"reply lacks {missing}"] = not missing
    checks[f"reply has {extra}"] = not extra
    return "; ".join(what for what, fine in checks.items() if not fine)


def _lines(reply: str) -> int:
    return sum(bool(line.strip()) for line in reply.splitlines())


def in_language(reply: str, language: str) -> bool:
    """Whether a reply has words of a language, and more of them than of English; what it quotes is left out."""
    marks = json.loads((FOLDER / "languages.json").read_text(encoding="utf-8"))
    words = re.findall(r"\w+", re.sub(r"[“„«\"].*?[”“»\"]", " ", reply.lower()))
    own, english = (sum(word in marks[one].split() for word in words) for one in (language, "en"))
    return own > english


def _told(fit: Fit) -> str:
    made = [(row["op"], row["kind"], row["title"], row["fields"]) for row in fit.extra]
    lacks = f"lacks {json.dumps(fit.lacks, ensure_ascii=False)}" if fit.lacks else ""
    return f"{lacks} {f'made {made}' if made else ''}".strip()


def _cause(fit: Fit, played: Played) -> Cause:
    """Who made a wrong change: code, where the model was not asked or had said what was expected; else the model."""
    said = json.dumps([asked.answer for asked in played.asked if asked.answer], ensure_ascii=False)
    if not any(asked.answer for asked in played.asked):
        return "code"
    if fit.lacks:
        return "code" if all(_in_answer(said, one) for one in fit.lacks) else "model"
    return "model" if all(_words_in(said, str(row["title"])) for row in fit.extra) else "code"


def _in_answer(said: str, wanted: Row) -> bool:
    """Whether a model's answers hold all values of an expected change."""
    values = [*wanted.get("fields", {}).values()]
    return all(_value_in(said, value) for value in values) and (bool(values) or _says(said, wanted.get("match", "")))


def _value_in(said: str, value: Any) -> bool:
    if isinstance(value, dict):
        return any(_value_in(said, one) for one in value.get("any", [""]))
    if isinstance(value, list):
        return all(_value_in(said, one) for one in value)
    text = str(value).lstrip("~")
    if INSTANT.match(text):
        return text in said or text[DAY + 1 :] in said
    return any(_words_in(said, one) for one in text.split("|"))


def _words_in(said: str, words: str) -> bool:
    return all(word in said.lower() for word in words.lower().split())
