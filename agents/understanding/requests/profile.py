"""Facts about the user: name, place, job, studies, interests."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.records import Profile
from agents.understanding.grammar import patterns_of
from agents.understanding.items.past import period_in
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim

END = (
    r"(?=\s*(?:,|;|\.|$|\band\s+(?:i|my|from|(?:just |now |also )?(?:started|work(?:ing)?|got|became|am|live|study|moved))\b|\bby the way\b|\bbtw\b|\bcan you\b|\bso\b|"
    r"\bbut\b|\bif\b|\bnow\b|\binstead\b|\brather than\b|\bnot\b|\bfrom (?:here|now)\b|"
    r"\b(?:last|this|next) (?:week|month|year|summer|spring|autumn|fall|winter)\b|"
    r"\b(?:yesterday|today|recently|already|again|there|here|these days)\b))"
)
WORDS = r"[\w'’.&À-ÿ-]+(?:\s+[\w'’.&À-ÿ-]+){0,%d}?"
PLACED = r"\b(?:i live in|we live in(?! an?\b| the\b| interesting\b)|we're based in|i'm living in|i am living in|i'm based in|i am based in|i'm from|"
NAMED_SO = (
    r"\b(?:(?:start|stop)?\s*(?:call|calling|address|refer(?:ring)? to) me(?: as)?|(?:i (?:want|prefer|would like|"
    r"'d like) to be|"
    r"i go by|i am|i'm) (?:called|named|known as))\s+(?P<name>(?!(?:back|later|when|if|at|on|an?|the|in|tomorrow|"
    r"today|tonight|"
    r"again|before|after|up|about|please|now|once|as|every|next|this|to|by|for|from|what)\b)<1>)"
)
MOVED = r"i(?:'ve| have)? (?:just |recently |finally )?moved (?:out |over |back |up |down )?(?:from [a-z ]{2,30}? )?to|we(?:'ve| have)? (?:just |recently |finally )?moved (?:out |over |back |up |down )?(?:from [a-z ]{2,30}? )?to|^(?:just )?moved to)\s+(?P<location><2>)(?:\s+(?:for|with|because|cos|to)\s.{1,200})?"
WORKING = (
    r"\b(?:i (?:now |currently |also )?work as|i'm (?:now )?working as|i(?:'m| am) employed as|my (?:new )?job is|i(?:'ve| have)? (?:just |now |recently )?(?:started (?:work(?:ing)? |(?:a|my) (?:new )?job )?as|become|"
    r"became|(?:got|taken|took|landed) a (?:new )?job as))\s+(?:an?\s+)?(?P<job><2>)"
)
STARTED = re.compile(
    rf"\b(?:joined|(?:start(?:ed|ing)|(?:now )?work(?:ing)?|(?:a |my )?new job) (?:at|with|for)) (?P<company>{WORDS % 4}) (?:as|where i'm) an?\s+(?P<role>{WORDS % 5}){END}",
    re.IGNORECASE,
)
TRADE = r"\w+(?:er|or|ist|ian|yst|ect|edic|anic|geon)|\w{3,}(?:ant|man|woman)|nurse|chef|cook|pilot|judge|vet|coach|student|intern|assistant|lead|head|dev|admin|rep|exec"
PROMOTED = r"\b(?:(?:i(?:'ve| have)? |just |i was |i am being |i'm being )(?:just |recently |finally )?(?:got |been |getting )?|got |been )promoted to\s+(?:an?\s+)?(?P<job><2>)"
BEING = rf"\b(?:i'm|i am)\s+(?:an?|the)\s+(?P<job>(?:[\w-]+\s+){{0,3}}(?:{TRADE})(?:\s+(?:at|for|in|by)\s+<2>)?)"
DEGREE = r"(?:phd|degree|master's|masters|bachelor's|ba|bsc|msc|course|diploma)"
STUDYING = r"\b(?:i study|i'm studying|i am studying|i major in|i'm majoring in)\s+(?:an?\s+)?(?P<course><2>)"
AT_COLLEGE = (
    rf"\b(?:i study|i am studying|i'm studying|i major in|i am doing|i'm doing)\s+(?:an?\s+)?"
    rf"(?:{DEGREE}\s+(?:in|of)\s+)?"
)
ATTENDING = r"\b(?:i go to|i'm at(?=[^,.]{0,40}\b(?:university|college|uni|school|institute|academy|polytechnic)\b)|i attend|i'm a student at|my (?:college|university|school|uni) is)\s+"
FACTS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern.replace("<1>", WORDS % 2).replace("<2>", WORDS % 7) + END, re.IGNORECASE)
    for pattern in (
        NAMED_SO,
        r"\b(?:everyone|everybody|people|my friends|friends|they all|most people) (?:just |all )?calls? me\s+(?P<name><1>)",
        r"\b(?:my name is|my name's|my name,? it's|my name,? it is|i'm called|i am called|i go by)\s+(?:(?:spelled|spelt|actually|really|now|spelled with|just)\s+)*(?P<name><1>)",
        r"\b(?:i'm|i am)\s+(?P<name>(?-i:[A-Z])\w{1,20}(?<!ese)(?<!ish)(?<!ian))(?=\s*(?:,|\.|$|\band (?:i|my)\b))",
        r"\bmy (?:(?:sur|last |family |first |full |second )?name)(?:'s| is| has)? changed\b.{0,20}?\b(?:i'm|it's|i am|to)\s+(?:now\s+)?(?P<name><1>)",
        r"\b(?P<name>[A-Z][\w'-]{1,30}|[a-z]{2,20}) is my name\b",
        r"\b(?:change|update|set) my name to\s+(?P<name><1>)",
        r"\b(?:change|update|set) my (?:location|city|home town) to\s+(?P<location><2>)",
        r"\b(?:change|update|set) my job to\s+(?P<job><2>)",
        PLACED + MOVED,
        r"\b(?:i'm|i am|my name is|my name's)\s[^.;!?]{2,40}?,\s*(?:and )?from\s+(?P<location>(?-i:[A-Z])[\w'-]+(?:\s(?-i:[A-Z])[\w'-]+){0,2})",
        r"(?:^|,\s|\band\s)(?:now |currently )?(?:living|based) in\s+(?P<location><2>)",
        r"\bmoved\b.{0,60}\b(?:i'm|we're|i am|we are) in\s+(?P<location><1>)(?=\s+now\b)",
        WORKING,
        PROMOTED,
        r"\bnew job\b.{0,60}\b(?:i'm|i am) an?\s+(?P<job><2>)",
        r"\b(?P<job>i work (?:at|for|in)\s+<2>)",
        r"\bnew job (?P<job>(?:at|with)\s+<2>)",
        BEING,
        r"\b(?P<job>i (?:run|own|manage|teach|coach)\s+<2>)",
        AT_COLLEGE + r"(?P<course><2>)\s+at\s+(?P<college><2>)",
        STUDYING,
        r"\b(?:switched|changed) my (?:course|major|degree) to\s+(?P<course><2>)",
        r"\bmy (?:course|major|degree) is\s+(?:an?\s+)?(?P<course><2>)",
        rf"\b(?:i'm|i am)\s+doing\s+an?\s+(?P<course>{DEGREE}\s+in\s+<2>)",
        ATTENDING + r"(?P<college>(?:the\s+)?<2>)",
    )
)
ONLY_NAME = re.compile(
    rf"(?:(?:from now on|from here on|in future|in the future|going forward|please|always|just|you can|i want you to|i'd like you to)[\s,]+)*"
    rf"{NAMED_SO.replace('<1>', WORDS % 2)}(?:[\s,]+(?:from now on|in future|going forward|please|instead(?: of .{{2,30}})?|not .{{2,30}}|and not .{{2,30}}|rather than .{{2,30}}))*\W*$",
    re.IGNORECASE,
)
P = patterns_of(__name__)
VERBS = {
    "working": "work",
    "worked": "work",
    "living": "live",
    "lived": "live",
    "studying": "study",
    "studied": "study",
}
LASTING = re.compile(rf"\bi(?:'ve| have)(?: been)? (?P<verb>{'|'.join(VERBS)})\b", re.IGNORECASE)
LONG_AGO = 1970


def facts_since(text: str, scene: Scene) -> dict[str, Any]:
    """The profile fields that a text states, with the day from which they hold where it names one."""
    match = _begins(text)
    begins = day_of(match["when"], scene) if match else None
    if match is None or begins is None:
        return facts_in(text)
    said = facts_in(LASTING.sub(_present, f"{text[: match.start()]} {text[match.end() :]}".strip(" ,")))
    named = [*(name for name in said if name not in ("facts", "interests", "name")), *said.get("facts", {})]
    return {**said, "since": dict.fromkeys(named, begins)} if named else facts_in(text)


def began(text: str, scene: Scene) -> str | None:
    """The day from which a message says that something is so: "since march", "i started there in march"."""
    match = _begins(text)
    return day_of(match["when"], scene) if match else None


def day_of(when: str, scene: Scene) -> str | None:
    """The day on which a stretch of the past begins ("march", "since 2019"), in ISO form."""
    period = period_in(when, scene)
    return None if period is None or period.start.year <= LONG_AGO else period.start.date().isoformat()


def _begins(text: str) -> re.Match[str] | None:
    return P.SINCE.search(text) or (P.BEGAN.search(text) and P.THEN.search(text))


def _present(match: re.Match[str]) -> str:
    """What has lasted is so: "i've been working at" says where I work."""
    return f"i {VERBS[match['verb'].lower()]}"


def unsaid_i(clause: Clause, scene: Scene) -> Share | None:
    """News of oneself typed without "I": "just moved to berlin", "now living in leeds"; None when it states no fact."""
    match = P.UNSAID.match(clause.text)
    facts = (
        facts_since(f"{'i am' if match['being'] else 'i'} {clause.text[match.start('fact') :]}", scene) if match else {}
    )
    return remember(facts, clause.text, scene) if facts else None


def facts_in(text: str) -> dict[str, Any]:
    """The profile fields that a text states."""
    found: dict[str, Any] = {}
    for pattern in FACTS:
        match = pattern.search(text)
        if match:
            said = {name: _clean(value) for name, value in match.groupdict().items() if value}
            found |= {name: value for name, value in said.items() if name not in found and _plausible(name, value)}
    started = STARTED.search(text)
    if started:
        found["job"] = f"{started['role']} at {started['company']}"
    interests = P.INTERESTS.search(text)
    if interests:
        found["interests"] = _listed(interests["list"])
    return found


def only_name(text: str) -> str | None:
    """The name that a standing wish is about, and about nothing else: "from now on call me Fee"."""
    match = ONLY_NAME.match(text.strip())
    return _clean(match["name"]) if match else None


def amended(clause: Clause, scene: Scene) -> Share | None:
    """One interest more or less: "add birdwatching to my interests", "i'm not into chess any more"."""
    match = P.AMENDED.match(clause.text.strip())
    if match is None:
        return None
    new = match["new"] or match["too"]
    if new:
        return remember({"interests": _listed(new)}, clause.text, scene)
    known = scene.ask.records.profile
    gone = {word.lower() for word in _listed(match["old"] or match["left"])}
    left = [interest for interest in known.interests if interest.lower() not in gone] if known else []
    if known is None or len(left) == len(known.interests):
        return None
    return amend({"interests": left}, clause, scene)


def amend(fields: dict[str, Any], clause: Clause, scene: Scene) -> Share | None:
    """Fields of the profile as they are from now on; None while there is no profile."""
    known = scene.ask.records.profile
    if known is None:
        return None
    draft = Proposal(op="update", kind="profile", record_id=known.id, fields=fields, reason="you told me")
    return change(clause.text, draft)


def _clean(value: str) -> str:
    value = re.sub(
        r"^i (?:work (?:(?=at|for)|in\s+)|(?=(?:run|own|manage|teach|coach)\b))", "", value.strip(), flags=re.IGNORECASE
    )
    return value.strip(" ,.;!?")[:200]


def _plausible(name: str, value: str) -> bool:
    return bool(value) and not (name == "college" and P.EXCLUDED_COLLEGE.match(value))


def _listed(text: str) -> list[str]:
    text = re.sub(r"\s+(?:lately|recently|these days|now|again|too)$", "", text.strip(), flags=re.IGNORECASE)
    parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", trim(text))
    return [trim(part) for part in parts if trim(part)][:20]


def _since(facts: dict[str, Any], known: Profile | None) -> dict[str, str]:
    """The days from which facts hold: those stated now, and those of the facts that stay as they are."""
    kept = {name: day.isoformat() for name, day in known.since.items()} if known else {}
    told = {*facts, *facts.get("facts", {})}
    return {**{name: day for name, day in kept.items() if name not in told}, **facts.get("since", {})}


def remember(facts: dict[str, Any], text: str, scene: Scene) -> Share:
    """Facts as one change of the profile; interests join those that are known."""
    known = scene.ask.records.profile
    fields = dict(facts)
    if "interests" in fields and known:
        have = {interest.lower() for interest in known.interests}
        fields["interests"] = [*known.interests, *[item for item in fields["interests"] if item.lower() not in have]]
    if "facts" in fields and known:
        fields["facts"] = {**known.facts, **fields["facts"]}
    since = _since(facts, known)
    if since != ({name: day.isoformat() for name, day in known.since.items()} if known else {}):
        fields["since"] = since
    op = "update" if known else "create"
    record_id = known.id if known else None
    return change(text, Proposal(op=op, kind="profile", record_id=record_id, fields=fields, reason="you told me"))
