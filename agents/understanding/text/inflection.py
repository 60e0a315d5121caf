"""The verb behind its forms: "buying" and "bought" are "buy"."""

from __future__ import annotations

from functools import cache

from agents.understanding.text.verbs import COMMAND_VERBS, TASK_VERBS, is_verb

PAST = dict(
    pair.split("/")
    for pair in """
    buy/bought send/sent pay/paid write/wrote read/read make/made get/got do/did find/found take/took give/gave
    sell/sold bring/brought meet/met ring/rang hang/hung cut/cut put/put set/set feed/fed sew/sewed build/built
    proofread/proofread shut/shut let/let hit/hit split/split shed/shed choose/chose draw/drew drive/drove lend/lent sweep/swept think/thought teach/taught
    """.split()
)
PARTICIPLES = {
    "written": "write",
    "done": "do",
    "taken": "take",
    "given": "give",
    "hung": "hang",
    "sewn": "sew",
    "chosen": "choose",
    "drawn": "draw",
    "driven": "drive",
    "mown": "mow",
    "sown": "sow",
    "rung": "ring",
    "gotten": "get",
    "thrown": "throw",
}


def base_of_gerund(gerund: str) -> str | None:
    """The verb of a form in -ing: "moving" is "move", "putting" is "put"; None when it is no verb we know."""
    if not gerund.endswith("ing"):
        return None
    stem = gerund.removesuffix("ing")
    return next((form for form in (stem, f"{stem}e", stem[:-1]) if is_verb(form)), None)


def base_of_participle(word: str) -> str | None:
    """The verb of what was or shall be done: "cleaned" is "clean", "bought" is "buy"; None when it is none we know."""
    return _participles().get(word)


@cache
def _participles() -> dict[str, str]:
    known = {past: verb for verb, past in PAST.items()} | PARTICIPLES
    for verb in TASK_VERBS | COMMAND_VERBS:
        for form in _regular(verb):
            known.setdefault(form, verb)
    return known


def _regular(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return (f"{verb}d",)
    if verb.endswith("y"):
        return (f"{verb}ed", f"{verb[:-1]}ied")
    return (f"{verb}ed", f"{verb}{verb[-1]}ed")
