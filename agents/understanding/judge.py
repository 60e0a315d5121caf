"""What the linear model says where no sure pattern decided: foreign requests are held back, the rest is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agents.contract import Proposal
from agents.phrases import quoted
from agents.understanding.dialogue import focus, smalltalk, undo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.model.classifier import guess
from agents.understanding.questions import queries, stored
from agents.understanding.requests import instructions, reminding
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent
from agents.understanding.text.own_errands import is_errand
from agents.understanding.text.verbs import EVENT_NOUNS, PARTICLE, TASK_VERBS, WHOLE_DAY_NOUNS

SERVICES = frozenset(
    """
    order book call play send email text message ring phone find search get read reply post check turn start stop set
    transfer pay open close show tell give look speak talk report translate download upload update use track save test
    run switch change keep leave share print buy bring make put ask take withdraw apply install skype move answer
    brew freeze verify exchange fetch purchase redeem refresh pull replace train hold arrange queue stream load
    block request reserve rent cancel contact connect increase decrease lower raise confirm respond schedule record
    write draft photograph message go
    """.split()
)
"""Verbs that a person may say to a machine; any other ("dust", "mend", "invoice") is the speaker's own deed."""
P = patterns_of(__name__)
BOOKED_ELSEWHERE = frozenset(
    "flight hotel table ticket tickets taxi train uber restaurant reservation room car rental card account bank shots".split()
)
RIDES = frozenset("train coach bus ferry flight plane tram".split())
PLAN_REASON = "you told me"  # a plan that was told asks nobody for a service
WEAK = 0.7
"""Patterns up to this trust are weighed against the model."""
FOREIGN, FOREIGN_DETAILED = 0.95, 0.985
"""From this probability of being out of scope on, a new item is offered instead of made; the second if it is dated."""
AMONG_OTHERS = 0.995
"""The same for one of several requests in a message: who gives a list of things to do is not asking for a service."""
CERTAIN = 0.8
"""From this probability on, an intent is taken from the model alone; asking and answering cost nothing."""
PLANNED = frozenset({"priority", "difficulty", "time_to_complete", "recurrence"})
Handler = Callable[[Intent, Clause, Scene], Share]
HARMLESS: dict[str, tuple[str, Handler]] = {
    "query_calendar": ("query_calendar", queries.calendar),
    "query_tasks": ("query_tasks", queries.tasks),
    "focus": ("focus", focus.coach),
    "undo": (
        "undo",
        lambda _, clause, scene: undo.take_back(Intent("undo", 0.8, {"rest": clause.text}), clause.text, scene),
    ),
    "ood": ("out_of_scope", lambda _, clause, __: smalltalk.out_of_scope(clause.text)),
    "affirm": ("small_talk", lambda intent, clause, scene: smalltalk.small_talk(intent, clause.text, scene)),
    "negate": ("small_talk", lambda intent, clause, scene: smalltalk.small_talk(intent, clause.text, scene)),
}


def weighed(share: Share, intent: Intent, clause: Clause, scene: Scene) -> Share:
    """The share, or the offer of it when the words read like a request to another service."""
    asked = [
        item
        for question in share.questions
        if question.pending.missing == "when"
        for item in question.pending.proposals
    ]
    drafts = share.proposals or asked
    if (
        intent.sure > WEAK
        or clause.listed
        or not drafts
        or any(item.op != "create" or item.kind == "profile" or item.reason == PLAN_REASON for item in drafts)
        or _is_own(clause.text)
    ):
        return share
    if intent.name == "unknown" and P.DONE_FOR_ME.match(clause.text.strip()):
        return _offered(drafts, asked, clause, scene)
    limit = _limit(drafts, clause.text) if scene.alone or P.ADDRESSED.search(clause.text) else AMONG_OTHERS
    if guess(clause.text).chances["ood"] < limit:
        return share
    return _offered(drafts, asked, clause, scene)


def _offered(drafts: Sequence[Proposal], asked: Sequence[Proposal], clause: Clause, scene: Scene) -> Share:
    """A task or event that the speaker may rather want from somebody else, as a question."""
    drafts = [_as_task(item, clause) if item in asked or item.kind == "todo" else item for item in drafts]
    title = quoted(
        str(drafts[0].fields.get("task") or drafts[0].fields.get("title") or drafts[0].fields.get("summary"))
    )
    where = "on your calendar" if drafts[0].kind == "event" else "on your tasks"
    return choose.confirm(f"I can't do that myself. Shall I put {title} {where}?", drafts, scene)


def _is_own(text: str) -> bool:
    """Whether words name an occasion, or a deed that nobody asks of a machine."""
    words = trim(text).lower().split()
    if is_errand(text) or (len(words) > 2 and words[0] == "add" and words[1] in TASK_VERBS):
        return True
    if P.OWN_DEED.match(trim(text)) and not P.ADDRESSED.search(text) and not set(words) & BOOKED_ELSEWHERE:
        return True
    if words and words[0] in ("book", "schedule", "arrange") and set(words) & EVENT_NOUNS - BOOKED_ELSEWHERE:
        return True
    return is_thing(text) or (
        len(words) > 1 and (words[0] in TASK_VERBS - SERVICES or PARTICLE.match(trim(text)) is not None)
    )


def is_thing(text: str) -> bool:
    """Whether words name an occasion rather than ask for a deed: "holiday in Madeira"."""
    words = trim(text).lower().split()
    if words[:1] and words[0] in RIDES and words[1:2] in (["to"], ["from"], ["home"], ["back"]):
        return True
    return (
        bool(words)
        and words[0] in EVENT_NOUNS | WHOLE_DAY_NOUNS
        and (words[0] not in TASK_VERBS or words[1:2] in (["with"], ["at"], ["on"], ["in"]))
    )


def _as_task(draft: Proposal, clause: Clause) -> Proposal:
    """An errand without a time is a task under its own words: "book me a flight" is to book a flight."""
    said = trim(clause.text) if draft.kind == "event" else str(draft.fields.get("task", ""))
    fields = {} if draft.kind == "event" else draft.fields
    task = P.FOR_ME.sub(r"\g<verb> ", said)[:500]
    return draft.model_copy(update={"kind": "todo", "fields": {**fields, "task": task}})


def _limit(drafts: Sequence[Proposal], text: str) -> float:
    """How foreign a request must read to be held back: a planned task hardly ever is one."""
    said = {name for item in drafts for name in item.fields}
    if said & PLANNED or P.DUE.search(text):
        return FOREIGN_DETAILED if P.ADDRESSED.search(text) else 1.0
    return FOREIGN_DETAILED if said & {"deadline", "start"} else FOREIGN


def rescued(clause: Clause, scene: Scene) -> Share | None:
    """What the model alone makes of words that no pattern knows; None when it is not sure or it would change things."""
    found = guess(clause.text)
    if found.sure < CERTAIN:
        return None
    if found.label == "ask_memory":
        return _remembered(clause, scene)
    if found.label == "standing_instruction" and P.LASTING.search(clause.text):
        return instructions.create(Intent("instruction", 0.8), clause, scene)
    if found.label == "reminder" and not re.search(r"\?\s*$", clause.text):
        return reminding.remind(
            Intent("remind", 0.8, {"rest": P.REMINDING.sub(" ", clause.text).strip()}), clause, scene
        )
    if found.label not in HARMLESS:
        return None
    if found.label == "ood":
        scene.tell(clause.text)
    name, handler = HARMLESS[found.label]
    return handler(Intent(name, found.sure, {"fine": "fine"} if name == "small_talk" else {}), clause, scene)  # type: ignore[arg-type]


def _remembered(clause: Clause, scene: Scene) -> Share:
    asked = P.ABOUT_ME.search(clause.text)
    if asked:
        return stored.profile(Intent("profile_query", 0.8, {"field": asked["field"] or asked["who"]}), clause, scene)
    return stored.memory(Intent("ask_memory", 0.8, {"rest": clause.text}), clause, scene)
