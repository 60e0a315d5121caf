"""What one took on, or sighs about: "i told marco i'd send him the slides by noon", "my week is a mess: ..."."""

from __future__ import annotations

import re

PROMISED = re.compile(
    r"(?P<lead>^|[.!?,;]\s+|\b(?:so|and|but|basically|well|okay|ok)\s)(?:i|we)(?:'ve| have)?\s(?:already\s|just\s|also\s|kind of\s|sort of\s)*(?:said\s(?:that\s)?(?:i'd|i'll|we'd|we'll)|promised(?:\s(?!to\b|i\b|that\b|we\b)[\w' ]{2,25}?)?\s(?:(?:that\s)?(?:i'd|i would|i'll|i will|we'd|we'll|we would)|to)|"
    r"told\s(?!you\b)[\w' ]{2,25}?\s(?:that\s)?(?:i'd|i would|i'll|i will|we'd|we'll|we would))\s(?=(?!be\b|have\b|like\b|love\b|never\b|not\b|think\b|rather\b|see\b|miss\b|probably\b)[a-z]+\s(?![^.?!]*\b(?:but|although|though|forgot|already)\b))",
    re.IGNORECASE,
)
"""What was promised is to be done: "i told marco i'd send him the slides by noon"."""
BUSY = re.compile(
    r"^(?:(?:hi|hey|hello|okay|ok|so|ugh|right)(?:\sthere)?[\s,]+)*(?:my (?:week|day|weekend|calendar|schedule|life)|things|work|it|everything)(?:'s| is| are| looks?| will be| has been)\s"
    r"(?:(?:going to be|a|an|total|complete|really|so|pretty|quite|absolutely|bit of a|all)\s)*(?:mess|crazy|hectic|busy|packed|full|insane|nuts|mad|chaos|chaotic|over the place|madness|nightmare)"
    r"(?:\s(?:this week|today|tomorrow|right now|at the moment|lately))?\s?[:–-]\s?",
    re.IGNORECASE,
)
"""A sigh before what there is to do: "my week is a mess: ..."."""


OWED = re.compile(
    r"(?P<lead>^|[.!?,;]\s+|\b(?:so|and|but|also|well|okay|ok)\s)(?:i|we)(?:\s(?:still|also))?\sowe\s(?P<who>(?:my |the )?[\w'-]+)\s"
    r"(?=(?:an?|the|some|my|that|those)\s(?!(?:fortune|lot|favou?r|apology|drink|dinner|pint|few|couple)\b)[^.?!]{2,60}?\s(?:by|before|due)\s)",
    re.IGNORECASE,
)
"""What somebody waits for: "i owe dana a revised quote by friday"."""


def as_duties(text: str) -> str:
    """The same words with promises as duties of one's own, and without a sigh before them."""
    return OWED.sub(r"\g<lead>i need to send \g<who> ", PROMISED.sub(r"\g<lead>i need to ", BUSY.sub("", text)))
