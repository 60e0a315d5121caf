"""How a request begins in the middle of a message, and what looks like a beginning and is none."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)
STRONG = P.STRONG
FAIRLY_STRONG = P.FAIRLY_STRONG
TOLD_CHANGE = P.TOLD_CHANGE
ABOUT_BEFORE = P.ABOUT_BEFORE
OF_BEFORE = P.OF_BEFORE
PLACED_AT = P.PLACED_AT
TOLD_AT = P.TOLD_AT
MAKE_IT = P.MAKE_IT
NEEDS = P.NEEDS
NEW_STATE = P.NEW_STATE
COMMAND = P.COMMAND
LAST_WORDS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight morning afternoon evening noon week
    weekend month am pm done priority urgent list minutes hours hour calendar okay ok please off oclock o'clock
    one two three four five six seven eight nine ten eleven twelve thirty fifteen forty-five
    """.split()
)
CHANGES = P.CHANGES
LEVELLED = P.LEVELLED
PASSIVE = P.PASSIVE
MENDING = P.MENDING
DID = P.DID
POINTING = P.POINTING
AFTER_NOUNS = frozenset("with w w/ at on for from to in of and or".split())
TOLD_DONE = P.TOLD_DONE
UNFINISHED = P.UNFINISHED
ONLY_TIME = P.ONLY_TIME
RELATIVE = P.RELATIVE
ASKED_BACK = P.ASKED_BACK
DATED_QUESTION = P.DATED_QUESTION
LEADING_TIME = P.LEADING_TIME
LEADING = P.LEADING
SHORT_TIME = 2
CONDITION = P.CONDITION
UNFULFILLED = P.UNFULFILLED
NOTE_HEAD = P.NOTE_HEAD
ASKING = P.ASKING
ONLY_POLITE = P.ONLY_POLITE
REMINDS = P.REMINDS
