"""Compile instructions that demand a confirmation: before changes of a kind, or when events overlap."""

from __future__ import annotations

import re

from agents.contract import Op
from agents.policies.clock_words import DAYS, days_in
from agents.policies.matching import kept
from agents.policies.rules import AskOnConflict, ConfirmBefore, Rule
from agents.records import Kind

ASK = r"(?:ask|consult|check|confirm|verify|clear|run)(?:\s+(?:it|that|this))?(?:\s+(?:with|by|past))?(?:\s+me)?(?:\s+first)?(?:\s+(?:for|about)\s+(?:a\s+)?(?:confirmation|permission|yes|ok))?"
NO_SAY = r"without\s+(?:asking|checking|confirming|consulting|my\s+\w+|telling|a\s+(?:yes|confirmation))"
BEFORE = (
    re.compile(rf"\b{ASK}\s*,?\s+(?:before|prior to)\s+(?:you\s+|ever\s+|i\s+)?(?P<what>.{{3,120}})"),
    re.compile(rf"\bbefore\s+(?:you\s+)?(?P<what>.{{3,80}}?),?\s+(?:always\s+)?{ASK}\s*(?:me|first)?$"),
    re.compile(rf"\b(?:never|don't|do not|not)\s+(?:ever\s+)?(?P<what>.{{3,80}}?)\s+{NO_SAY}"),
    re.compile(rf"\b{NO_SAY}\s*,?\s+(?:never|don't|do not)\s+(?:ever\s+)?(?P<what>.{{3,80}})"),
    re.compile(
        r"\b(?:get|wait for|need|require|obtain)\s+(?:my|a|an)\s+(?:ok|okay|yes|approval|permission|confirmation|go-?ahead)"
        r"\s+(?:before|for|to)\s+(?:you\s+)?(?P<what>.{3,80})"
    ),
    re.compile(
        r"\bi(?:'d like| want| would like| have| need)\s+to\s+(?:confirm|approve|be asked(?:\s+(?:first|about|before))?|okay|ok)"
        r"\s+(?:before\s+)?(?:you\s+)?(?P<what>.{3,80})"
    ),
    re.compile(
        r"^(?:always\s+)?(?:confirm|ask(?: me)?(?: first)? (?:about|for)(?: confirmation (?:of|for|on))?)\s+(?:all|any|every|each|new)\s+(?P<what>.{3,80})"
    ),
)
UNASKED = re.compile(
    r"\b(?:don't|do not|never|no longer|needn't|stop|quit|no need to)\s+(?:need to |have to |ever |bother |you )*(?:ask|check|confirm|consult)"
)
OVERLAP = r"(?:double[\s-]?book\w*|conflict\w*|overlap\w*|clash\w*)"
ON_CONFLICT = (
    re.compile(rf"\b(?:{ASK})\b.{{0,40}}\b{OVERLAP}"),
    re.compile(rf"\b{OVERLAP}.{{0,40}}\b(?:ask|check with|confirm with)\b"),
    re.compile(r"\b(?:never|don't|do not|no)\s+(?:ever\s+)?(?:let\s+me\s+)?(?:get\s+)?double[\s-]?book"),
    re.compile(rf"\b(?:never|don't|do not)\b.{{0,40}}\b(?:overlap|on top of|{OVERLAP})"),
)
OPS: tuple[tuple[str, tuple[Op, ...]], ...] = (
    (
        r"(?:add|creat|mak(?:e|ing)\s+(?:a\s+|any\s+|new\s+)*(?!change)|sett?ing up|set up|new|put|book|schedul|plan)",
        ("create",),
    ),
    (r"(?:delet|remov|cancel|eras|clear|throw|drop|discard|get(?:ting)? rid)", ("delete",)),
    (r"(?:chang|updat|mov|edit|modif|reschedul|renam|postpon|alter|adjust|shift)", ("update",)),
    (r"(?:complet|tick|mark|finish|clos|check(?:ing)? off)", ("complete",)),
    (r"archiv", ("archive",)),
)
EVERYTHING: tuple[Op, ...] = ("create", "update", "complete", "archive", "delete")
ANYTHING = re.compile(
    r"\b(?:mak(?:e|ing)\s+(?:any\s+|a\s+)?changes?|chang(?:e|ing)\s+(?:anything|something|things)|do(?:ing)?\s+(?:anything|something)|touch|"
    r"act(?:ing)?\b|any\s+changes?\b|every\s+change\b)"
)
KINDS: tuple[tuple[str, Kind], ...] = (
    (r"\b(?:tasks?|todos?|to-?dos?|to do items?|reminders?|chores?|habits?)\b", "todo"),
    (r"\b(?:events?|meetings?|appointments?|calendar|schedul\w*|book(?:s|ing|ings)?|calls?)\b", "event"),
    (r"\b(?:notes?|lists?|ideas?|thoughts?)\b", "note"),
    (r"\b(?:profile|about myself|personal (?:data|details|facts))\b", "profile"),
)
MY_LIST = re.compile(r"\b(?:my|the) lists?\b")
MARKED = re.compile(
    r"\b(?:about|regarding|concerning|related to|to do with|tagged|called|named|mentioning|that mentions?|with the word|"
    r"for|from|with|on|of|in)\s+(?P<words>[^,.;]{2,60})"
)
ADJECTIVE = re.compile(
    r"\b(?P<words>(?:[\w'&-]{1,40}\s+){1,3})(?:tasks?|todos?|to-?dos?|reminders?|events?|meetings?|appointments?|notes?|lists?|ideas?)\b"
)
EMPTY = frozenset(
    """
    a an the my our your any all every each some new other anything everything something thing stuff it them that this to
    me mine list calendar diary schedule agenda add create make put set up delete remove cancel change update move edit
    book plan mark complete finish archive drop clear schedule reschedule rename postpone and or of in on for from with
    about task todo event meeting appointment note item entry reminder idea thought chore habit call more existing old
    adding creating making deleting removing cancelling canceling changing updating moving editing booking planning
    marking completing finishing archiving dropping clearing scheduling rescheduling renaming postponing done go ahead
    today tomorrow tonight day week month year weekend soon now time hour morning afternoon evening night
    either ever always first again single existing whole entire whatever behalf one ones so too also profile you
    """.split()
)


def on_conflict(text: str) -> list[Rule]:
    """The rule that asks before events overlap."""
    return [AskOnConflict()] if any(form.search(text) for form in ON_CONFLICT) else []


def before(text: str) -> list[Rule]:
    """The rule that asks before changes of a kind."""
    if UNASKED.search(text):
        return []
    match = next((found for form in BEFORE if (found := form.search(text))), None)
    if match is None:
        return []
    what = match["what"]
    ops = _ops(what)
    if not ops:
        return []
    return [
        ConfirmBefore(ops=ops, kinds=_kinds(what), days=days_in(what), about=_about(re.sub(rf"\b{DAYS}\b", " ", what)))
    ]


def _ops(what: str) -> tuple[Op, ...]:
    if ANYTHING.search(what):
        return EVERYTHING
    found = {op for stem, ops in OPS if re.search(rf"\b{stem}", what) for op in ops}
    found |= {"delete"} if re.search(r"\bdeletions?\b", what) else set()
    return tuple(op for op in EVERYTHING if op in found)


def _kinds(what: str) -> tuple[Kind, ...]:
    """The kinds named as what is changed: "from my calendar" names one, "about meetings" does not."""
    thing = re.split(r"\b(?:about|regarding|concerning|related to|mentioning)\b", what)[0]
    named = {kind for words, kind in KINDS if re.search(words, thing)}
    if MY_LIST.search(thing):
        named |= {"todo", "note"}
    return tuple(kind for _, kind in KINDS if kind in named)


def _about(what: str) -> tuple[str, ...]:
    marked = [match["words"] for match in MARKED.finditer(what)]
    before_noun = [match["words"] for match in ADJECTIVE.finditer(what)]
    return tuple(word for word in kept(" ".join([*before_noun, *marked]), EMPTY) if not word.isdigit())
