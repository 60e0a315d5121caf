"""What of a model's own text may be said: sentences that claim no change, for claims come from ledger rows only (P1)."""

from __future__ import annotations

import re
from collections.abc import Container

SHORT = r"(?<!\b(?:Dr|Mr|Ms|St|vs)\.)(?<!\bMrs\.)(?<!\b(?:e\.g|i\.e)\.)(?<!\b[A-Z]\.)"
END = re.compile(rf"(?<=[.!?…]){SHORT}[”\"')\]]*\s+|\n+")
"""Between two sentences; the full stop of a number, an initial or a short form is none."""
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
DONE = (
    r"(?:add|creat|book|schedul|mov|chang|updat|delet|remov|cancel|complet|finish|archiv|mark|tick|check|set|sav|not(?=e|ing)|"
    r"remember|record|stor|put|log|undo|undid|revert|restor|remind|snooz|postpon|reschedul|renam|clear|eras|"
    r"ma[dk]|took|tak|done|did|handl|sort|sent|send|arrang|wip|purg|drop|kept|keep)"
)
KEPT = r"(?:reminder|task|to-?do|event|note|meeting|alarm|appointment|list|calendar|profile|instruction|habit)s?"
ABOUT = rf"^(?=.*\b(?:your|it|that|this|everything|{KEPT})\b|(?:\W*\w+){{1,6}}\W*$).*?"
CLAIM_WORDS = {
    "act": r"\b(?:i|we|summit)(?:['’]ve| have| had)(?: \w+ly| just| also| now| already)* \w+(?:ed|en|ne|de|pt|nt|ut|ught|wn|ld|ook|et)\b",
    "past act": rf"\b(?:i|we|summit)(?: just| also| now| then| \w+ly)* (?:{DONE}\w*(?:ed|t|de|ne)|took|made|set|put|cut)\b",
    "promise": rf"\b(?:i|we|summit)(?:['’]ll| will| shall|['’]m| am| went)(?: \w+){{0,3}}? {DONE}\w*",
    "passive": rf"{ABOUT}\b(?:has been|have been|was|were|is now|are now|got|is already|are already|are|is)(?: \w+ly| just)* {DONE}\w*(?:ed|t|de|ne|en|ept)\b",
    "participle": rf"^\W*(?:(?:ok\w*|alright|great|sure|perfect|yes|right|there)\W+)?{DONE}\w*ed\b",
    "done": r"^\W*(?:all set|all done|done|good to go|taken care of|gone)\b|\b(?:taken care of|as requested|as you (?:asked|wished))\b",
    "place": rf"\b(?:on|in|from|to|off)\s+your\s+{KEPT}\s+(?:now|already)\b|\b(?:now|already|safely)\s+(?:on|in|off)\s+your\b",
    "kept": rf"^\W*(?:your |the |a )?(?:\w+ ){{0,3}}{KEPT}(?: \w+)? (?:{DONE}ed|set|made|deleted)\b",
    "state": rf"(?:\b(?:is|are)|['’]s) (?:now|already) (?:{DONE}|due|on|in|off)|\b{KEPT} no longer\b",
    "sign": r"[✓✔✅☑]",
}
CLAIMS = {reason: re.compile(words, re.IGNORECASE | re.DOTALL) for reason, words in CLAIM_WORDS.items()}
LONE_QUESTION = re.compile(r"[^.!?;:\n\u3002\uff01\uff1f\u061f]+[?\uff1f\u061f]")


def sentences(text: str) -> list[str]:
    """All sentences of a text that is whole, with the ends of their lines."""
    done, rest = whole(text)
    return [*done, rest.strip()] if rest.strip() else done


def whole(text: str) -> tuple[list[str], str]:
    """The sentences of a growing text that are whole, with the ends of their lines, and the rest, which may go on."""
    ends = [found.end() for found in END.finditer(text) if found.end() < len(text) or "\n" not in found[0]]
    cut = [text[begin:end].strip(" \t") for begin, end in zip([0, *ends], ends, strict=False)]
    return [sentence for sentence in cut if sentence.strip()], text[ends[-1] :] if ends else text


def only_asks(text: str) -> bool:
    """Whether a text in any language is one plain question, without an English claim in it."""
    return LONE_QUESTION.fullmatch(text) is not None and claim_in(text) is None


def claim_in(sentence: str, excused: Container[str] = ()) -> str | None:
    """How a sentence says that something was changed, by the speaker or about what is kept; quotes do not count.

    Reasons that are ``excused`` do not count either.
    """
    told = QUOTED.sub("“…”", sentence)
    return next((reason for reason, claim in CLAIMS.items() if reason not in excused and claim.search(told)), None)


def about_kept(sentence: str) -> bool:
    """Whether a sentence speaks of what is kept for the user: "your list"."""
    return re.search(rf"\byour\s+(?:\w+\s+)?{KEPT}\b", sentence, re.IGNORECASE) is not None
