"""Whether words claim a change: where no row of the ledger stands behind them, one line puts them right (P1)."""

from __future__ import annotations

import re
from collections.abc import Container

NO_ABBREVIATION = r"(?<!\b(?:Dr|Mr|Ms|St|vs)\.)(?<!\bMrs\.)(?<!\b(?:e\.g|i\.e)\.)(?<!\b[A-Z]\.)"
END = re.compile(rf"(?<=[.!?…]){NO_ABBREVIATION}[”\"')\]]*\s+|\n+")
"""Between two sentences; the full stop of a number, an initial or a short form is none."""
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
DONE_STEMS = (
    r"(?:add|creat|book|schedul|mov|chang|updat|delet|remov|cancel|complet|finish|archiv|mark|tick|check|set|sav|not(?=e|ing)|"
    r"remember|record|stor|put|log|undo|undid|revert|restor|remind|snooz|postpon|reschedul|renam|clear|eras|"
    r"ma[dk]|took|tak|done|did|handl|sort|sent|send|arrang|wip|purg|drop|kept|keep)"
)
RECORD_NOUNS = (
    r"(?:reminder|task|to-?do|event|note|meeting|alarm|appointment|list|calendar|profile|instruction|habit)s?"
)
ABOUT = rf"^(?=.*\b(?:your|it|that|this|everything|{RECORD_NOUNS})\b|(?:\W*\w+){{1,6}}\W*$).*?"
CLAIM_WORDS = {
    "act": r"\b(?:i|we|summit)(?:['’]ve| have| had)(?: \w+ly| just| also| now| already)* \w+(?:ed|en|ne|de|pt|nt|ut|ught|wn|ld|ook|et)\b",
    "past act": rf"\b(?:i|we|summit)(?: just| also| now| then| \w+ly)* (?:{DONE_STEMS}\w*(?:ed|t|de|ne)|took|made|set|put|cut)\b",
    "promise": rf"\b(?:i|we|summit)(?:['’]ll| will| shall|['’]m| am| went)(?: \w+){{0,3}}? {DONE_STEMS}\w*",
    "passive": rf"{ABOUT}\b(?:has been|have been|was|were|is now|are now|got|is already|are already|are|is)(?: \w+ly| just)* {DONE_STEMS}\w*(?:ed|t|de|ne|en|ept)\b",
    "participle": rf"^\W*(?:(?:ok\w*|alright|great|sure|perfect|yes|right|there)\W+)?{DONE_STEMS}\w*ed\b",
    "done": r"^\W*(?:all set|all done|done|good to go|taken care of|gone)\b|\b(?:taken care of|as requested|as you (?:asked|wished))\b",
    "place": rf"\b(?:on|in|from|to|off)\s+your\s+{RECORD_NOUNS}\s+(?:now|already)\b|\b(?:now|already|safely)\s+(?:on|in|off)\s+your\b",
    "kept": rf"^\W*(?:your |the |a )?(?:\w+ ){{0,3}}{RECORD_NOUNS}(?: \w+)? (?:{DONE_STEMS}ed|set|made|deleted)\b",
    "state": rf"(?:\b(?:is|are)|['’]s) (?:now|already) (?:{DONE_STEMS}|due|on|in|off)|\b{RECORD_NOUNS} no longer\b",
    "sign": r"[✓✔✅☑]",
}
GERMAN = (
    r"(?:hinzugefügt|angelegt|eingetragen|notiert|gespeichert|vermerkt|gelöscht|entfernt|verschoben|geändert|erledigt|"
    r"abgehakt|abgesagt|gebucht|erstellt|gesetzt|gestellt|gemerkt|rückgängig gemacht|wiederhergestellt|archiviert|umbenannt|"
    r"geschickt|gesendet)"
)
PORTUGUESE = (
    r"(?:adicionei|criei|marquei|agendei|apaguei|removi|excluí|movi|mudei|alterei|anotei|salvei|guardei|concluí|cancelei|"
    r"desfiz|coloquei|registrei|atualizei|arquivei|enviei|adiei|risquei|remarquei)"
)
DOUBTFUL = frozenset({"act", "passive", "state", "kept"})
"""What also tells of the world, or of what was done long ago: "The meeting was moved last week"."""
PATTERNS_BY_LANGUAGE = {
    "English": rf"\b(?:i|we|summit)(?:['’]ve| have)(?: \w+ly| just| also| now)* {DONE_STEMS}\w*(?:ed|en|ne|de|t|ut)\b"
    rf"|\b(?:it|that|this|everything|they|{RECORD_NOUNS})(?:['’]s| has| have)(?: just| now)* been {DONE_STEMS}\w*|\bis now (?:added|set|booked|saved)\b",
    "German": rf"\b(?:ich|wir)\b[^.!?]*\b{GERMAN}\b|\bhabe?\b[^.!?]*\b{GERMAN}\W*$|^\W*(?:ok\w*\W+)?{GERMAN}\b"
    rf"|\b(?:ist|sind|wurden?)\b[^.!?]*\b{GERMAN}\W*$|\bich erinnere dich\b|^\W*(?:erledigt|fertig)\b",
    "Portuguese": rf"\b{PORTUGUESE}\b|\bvou te lembrar\b|^\W*(?:feito|pronto)\W*(?:$|[,!.])"
    r"|^\W*(?:adicionad|criad|marcad|apagad|removid|anotad|salv|concluíd|cancelad|movid)[oa]s?\b",
}
CLAIMS = {reason: re.compile(words, re.IGNORECASE | re.DOTALL) for reason, words in CLAIM_WORDS.items()}
CLAIMS_ELSEWHERE = {reason: re.compile(words, re.IGNORECASE) for reason, words in PATTERNS_BY_LANGUAGE.items()}
LETTER_WORDS = 6
"""A line that greets somebody has no more words."""


def sentences(text: str) -> list[str]:
    """All sentences of a text that is whole, with the ends of their lines."""
    done, rest = whole(text)
    return [*done, rest.strip()] if rest.strip() else done


def whole(text: str) -> tuple[list[str], str]:
    """The sentences of a growing text that are whole, with the ends of their lines, and the rest, which may go on."""
    ends = [found.end() for found in END.finditer(text) if found.end() < len(text) or "\n" not in found[0]]
    cut = [text[begin:end].strip(" \t") for begin, end in zip([0, *ends], ends, strict=False)]
    return [sentence for sentence in cut if sentence.strip()], text[ends[-1] :] if ends else text


def claims_change(text: str) -> bool:
    """Return whether a text in one of our languages says that something was changed; questions and letters do not."""
    letter = False
    for sentence in sentences(text):
        asks = sentence.rstrip().endswith("?")
        if not (asks or letter) and (claim_in(sentence, DOUBTFUL) or _claim_elsewhere(sentence)):
            return True
        letter = letter or _greets(sentence)
    return False


def _claim_elsewhere(sentence: str) -> bool:
    told = QUOTED.sub("“…”", sentence)
    return any(claim.search(told) for claim in CLAIMS_ELSEWHERE.values())


def _greets(sentence: str) -> bool:
    """Return whether a line greets somebody: a letter begins, and is not about what was done here."""
    line = sentence.rstrip(" ")
    return line.endswith("\n") and line.rstrip().endswith(",") and len(line.split()) <= LETTER_WORDS


def claim_in(sentence: str, excused: Container[str] = ()) -> str | None:
    """How a sentence says that something was changed, by the speaker or about what is kept; quotes do not count.

    Reasons that are ``excused`` do not count either.
    """
    told = QUOTED.sub("“…”", sentence)
    return next((reason for reason, claim in CLAIMS.items() if reason not in excused and claim.search(told)), None)


def about_kept(sentence: str) -> bool:
    """Whether a sentence speaks of what is kept for the user: "your list"."""
    return re.search(rf"\byour\s+(?:\w+\s+)?{RECORD_NOUNS}\b", sentence, re.IGNORECASE) is not None
