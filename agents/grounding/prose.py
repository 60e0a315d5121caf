"""What of a model's own text may be said: sentences that claim no change, for claims come from ledger rows only (P1)."""

from __future__ import annotations

import re

SHORT = r"(?<!\b(?:Dr|Mr|Ms|St|vs)\.)(?<!\bMrs\.)(?<!\b(?:e\.g|i\.e)\.)(?<!\b[A-Z]\.)"
END = re.compile(rf"(?<=[.!?…]){SHORT}[”\"')\]]*\s+|\n+")
"""Between two sentences; the full stop of a number, an initial or a short form is none."""
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
DONE = (
    r"(?:add|creat|book|schedul|mov|chang|updat|delet|remov|cancel|complet|finish|archiv|mark|tick|check|set|sav|not|"
    r"remember|record|stor|put|log|undo|undid|revert|restor|remind|snooz|postpon|reschedul|renam|clear|eras|"
    r"ma[dk]|took|tak|done|did|handl|sort|sent|send|arrang|wip|purg|drop|kept|keep)"
)
CLAIMS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        rf"\b(?:i|we|summit|it)(?:'ve|’ve|'ll|’ll| have| had| just| will| shall|'m| am| went| did)?\b(?:\W+\w+){{0,4}}?\W+{DONE}\w*",
        rf"\b(?:is|are|was|were|has been|have been|been|got|gets|being|now)\b(?:\W+\w+){{0,3}}?\W+{DONE}(?:\w*(?:ed|d|t|n|e))\b",
        rf"^\W*(?:(?:ok\w*|alright|great|sure|perfect|yes|right|there)\W*)?{DONE}\w*(?:ed|d|t|n|ne)\b",
        r"\b(?:all set|all done|done|good to go|taken care of|no longer|gone|as requested|as you (?:asked|wished))\b",
        r"\b(?:is|are|was|were|it's|that's)\s+(?:now|already|safely)\b",
        r"\b(?:on|in|from|to|off)\s+your\s+(?:calendar|list|tasks?|notes?|profile|reminders?)\s+now\b",
        rf"\b(?:reminders?|tasks?|events?|notes?|meetings?|alarms?|appointments?|lists?|calls?)\s+(?:\w+\s+){{0,2}}{DONE}(?:\w*(?:ed|d|t|n))?\b",
        r"[✓✔✅☑]",
    )
)
LONE_QUESTION = re.compile(r"[^.!?;:\n\u3002\uff01\uff1f\u061f]+[?\uff1f\u061f]")
ENGLISH = frozenset(
    """
    a an the i you it is are do does what how when which that this to of for in on at and or not no your my me we can
    could would will have has hello hi hey thanks thank welcome good sorry yes there here with if be was don't i'm
    """.split()
)
FEW_WORDS = 2


def harmless(text: str) -> str:
    """The sentences of a text that claim no change; what is not plainly English cannot be judged and is left out."""
    done, rest = whole(text)
    return " ".join(sentence for sentence in [*done, rest.strip()] if sentence and not claims_change(sentence))


def whole(text: str) -> tuple[list[str], str]:
    """The sentences of a growing text that are whole, and the rest, which may go on."""
    ends = [found.end() for found in END.finditer(text)]
    cut = [text[begin:end].strip() for begin, end in zip([0, *ends], ends, strict=False)]
    return [sentence for sentence in cut if sentence], text[ends[-1] :] if ends else text


def only_asks(text: str) -> bool:
    """Whether a text in any language is one plain question, without an English claim in it."""
    return LONE_QUESTION.fullmatch(text) is not None and not any(pattern.search(text) for pattern in CLAIMS)


def claims_change(sentence: str) -> bool:
    """Whether a sentence says, or might say, that something was changed; quoted titles do not count."""
    told = QUOTED.sub("“…”", sentence)
    words = re.findall(r"[\w'’]+", told.lower().replace("’", "'"))
    foreign = len(words) > FEW_WORDS and not ENGLISH & set(words)
    return foreign or any(pattern.search(told) for pattern in CLAIMS)
