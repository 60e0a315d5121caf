"""What has to be done to something, as a request to do it: "the gutter needs clearing by friday" is "clear the gutter"."""

from __future__ import annotations

import re

from agents.understanding.text.inflection import base_of_gerund, base_of_participle

SUBJECT = (
    r"(?:there(?:'s| is| are)\s+)?(?P<what>(?!(?:i|we|you|he|she|they|it|that|this|these|those|nothing|everything|all|what|who|which|"
    r"there|if|when|whatever|some|someone|somebody|people|things?)\b)[\w'’&/-]+(?:\s+(?!(?:i|we|you|he|she|they|who|because|if|when|to|and then)\b)"
    r"[\w'’&/-]+){0,6}?)(?:\s+(?:that|which))?"
)
OFTEN = r"(?:\s+(?:still|also|really|just|now|urgently|desperately|badly))*"
NEEDS = re.compile(
    rf"{SUBJECT}{OFTEN}\s+(?:(?:needs?|has|have|'?s got|got|ought)\s+to\s+(?:be|get)|must\s+(?:be|get)|needs?|wants?){OFTEN}\s+"
    rf"(?P<form>[a-z]{{3,20}})(?P<rest>(?:[\s,].{{0,150}})?)$",
    re.IGNORECASE,
)
WANTED = re.compile(
    r"(?:i|we)(?:\s+(?:still|also|really|just))*\s+(?:need|want)(?:\s+to\s+(?:get|have))?\s+(?P<what>(?:the|my|our)\s+[\w'’& -]{2,40}?)\s+"
    r"(?P<form>[a-z]{3,20}(?:\s(?:up|out|off|down|at|over|away|in))?)(?P<rest>(?:\s+(?:by|before|on|at|this|next|today|tomorrow|for|asap|soon)\b.{0,100})?)$",
    re.IGNORECASE,
)
PARTICLE = re.compile(
    r"\s+(?:up|out|off|down|away|back|in|over|through|at|into|round|on(?!\s+(?:the\s+)?(?:\d|mon|tue|wed|thu|fri|sat|sun)))\b(?!\s+(?:the|an?|my|\d))",
    re.IGNORECASE,
)
ANSWERED = re.compile(r"\b(?:so|and|then)\s+(?:\w+\s+){1,2}(?:it|that|this|them)\b", re.IGNORECASE)
NOT_DEEDS = frozenset({"charged", "lost", "hurt", "needed", "used", "left", "given", "called", "asked", "told"})


def demanded(text: str) -> str:
    """The request behind words about what has to be done; other words as they are."""
    match = NEEDS.match(text)
    if match and not ANSWERED.search(match["rest"]):
        verb, rest = _verb(match["form"].lower()), match["rest"]
        particle = PARTICLE.match(rest)
        if verb and particle:
            verb, rest = f"{verb}{particle[0]}", rest[particle.end() :]
        return f"{verb} {match['what']}{rest}" if verb else text
    wanted = WANTED.match(text)
    form = wanted["form"].lower().split()[0] if wanted else ""
    if wanted and form not in NOT_DEEDS and base_of_participle(form):
        return f"get {wanted['what']} {wanted['form']}{wanted['rest']}"
    return text


def is_demand(text: str) -> bool:
    """Whether words say that something has to be done."""
    return NEEDS.match(text) is not None and demanded(text) != text


def _verb(form: str) -> str | None:
    return base_of_gerund(form) or base_of_participle(form)
