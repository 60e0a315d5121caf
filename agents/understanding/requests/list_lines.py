"""The lines of a list as they were said: at commas, at "and", and between nouns said in a row."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim, without_breath
from agents.understanding.text.measures import COUNTS, UNITS

P = patterns_of(__name__)
MODIFIERS = frozenset(
    """
    a an the some more two three four six new big small large heavy light whole skim olive brown white black red
    green ice peanut paper toilet dish laundry trash orange apple coconut oat almond soy sour cottage baking ground
    chicken beef sweet fresh frozen dried canned organic extra rye wheat hot maple vanilla dark hand tooth dog cat
    baby bottled sparkling bell sausage ginger garlic tomato fish bin bubble wrapping gift masking duct light washing
    kitchen loo face up wall shower sun bug sleeping head phone extension birthday curry chilli protein energy cereal tent first aid sick
    """.split()
)
# Said in a row they are two things: nothing is called "milk eggs".
STAPLES = frozenset(
    "milk bread butter cheese sugar salt flour coffee tea rice pasta ham bacon yogurt water juice".split()
)
# What only with the word before it is the name of a thing: "wall plugs", "coffee filters", "washing up liquid".
HEADS = frozenset(
    "plugs filters bags towel towels powder liquid tablets pods foil film wipes litter cleaner cubes gel".split()
)
LINKS = frozenset("of for with in from".split())  # "two boxes of plugs" is one thing
PIECES = frozenset(
    "eggs bread butter cheese bananas apples oranges lemons limes grapes pears tomatoes potatoes onions carrots mushrooms "
    "cucumbers strawberries avocados nappies".split()
)


def entries(text: str) -> list[str]:
    """The lines of a list as they were said; spoken ones without commas are cut after plurals and complete nouns."""
    text = P.REASON.sub(", ", without_breath(text))
    parts = [trim(part) for part in P.ENTRY.split(text)]
    spoken = "," not in text and len(parts) > 1 and len(parts[0].split()) > 1
    if spoken:
        parts = [*_spoken(parts[0]), *parts[1:]]
    return [part for part in parts if part][:500]


def _spoken(text: str) -> list[str]:
    """Nouns said in a row: "eggs heavy cream butter" are three things."""
    words = text.split()
    if len(words) == 2 and not _plural(words[0]):
        return words if words[0].lower() in STAPLES and words[1].lower() in PIECES else [text]
    parts: list[str] = []
    open_part: list[str] = []
    for at, word in enumerate(words):
        if word.lower() in LINKS and parts and not open_part:
            return [*parts[:-1], " ".join([parts[-1], *words[at:]])]
        open_part.append(word)
        heads = words[at + 1 : at + 2] and words[at + 1].lower() in HEADS and not _plural(word)
        if not heads and not _goes_before(word.lower(), words[at - 1].lower() if at else ""):
            parts.append(" ".join(open_part))
            open_part = []
    return [*parts, *([" ".join(open_part)] if open_part else [])]


def _goes_before(word: str, before: str) -> bool:
    """Whether a word of a line is followed by another: a quality, a number, a measure behind one, "of"."""
    if word in UNITS:
        return before[:1].isdigit() or before in COUNTS
    return word in MODIFIERS or word in LINKS or word[0].isdigit() or word.endswith("ing")


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")
