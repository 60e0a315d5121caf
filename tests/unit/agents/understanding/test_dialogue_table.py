"""The table of dialogue: in each state what each act changes; and a question takes only what answers it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.support.conversations.playing import State, state_of, turned

CASE: dict[str, Any] = {
    "now": "2026-03-03T18:05:00",
    "tz": "Europe/Dublin",
    "given": {
        "todos": [{"task": "Submit tax return"}, {"task": "Reply to Ingrid"}],
        "events": [
            {"title": "Band practice", "start": "2026-03-05T19:30", "end": "2026-03-05T21:30"},
            {"title": "Call with Ingrid", "start": "2026-03-04T14:00", "end": "2026-03-04T14:30"},
        ],
        "notes": [{"category": "list", "summary": "camping", "items": ["tent", "stove"]}],
    },
}
STATES = {
    "idle": "",
    "asked which": "delete the ingrid thing",
    "asked when": "lunch with Orla tomorrow",
    "held": "meeting with Carla tomorrow at 3, she's in from Rome",
    "just did": "add pick up the parcel",
}
ACTS = {
    "yes": "yes please",
    "no": "no, leave it",
    "pick": "the call",
    "refine": "make it high priority",
    "correct": "no, i meant on friday",
    "undo": "undo that",
    "new": "remind me to ring Aoife tomorrow at 9",
}
NOTHING: list[str] = []
CREATED = ["create todo"]
TABLE: dict[str, dict[str, list[str]]] = {
    "idle": dict.fromkeys(ACTS, NOTHING) | {"new": CREATED},
    "asked which": dict.fromkeys(ACTS, NOTHING) | {"pick": ["delete event"], "new": CREATED},
    "asked when": dict.fromkeys(ACTS, NOTHING) | {"new": CREATED},
    "held": dict.fromkeys(ACTS, NOTHING) | {"yes": ["create event"], "correct": ["create event"], "new": CREATED},
    "just did": dict.fromkeys(ACTS, NOTHING)
    | {"refine": ["update todo"], "correct": ["update todo"], "undo": ["undo todo"], "new": CREATED},
}
"""What is applied. Elsewhere nothing is: an act that the state does not wait for is asked about or answered."""
REQUESTS = [
    f"{verb} {rest}"
    for verb, rest in [
        ("add", "buy stamps"), ("add", "wash the car by friday"), ("remind me to", "water the ferns tomorrow at 8"),
        ("remind me to", "email Tom on thursday at 10"), ("book the vet", "for friday at 3pm"),
        ("book a haircut", "on saturday at 11am"), ("note:", "the code is 4471"), ("idea:", "sell the van"),
        ("move band practice to", "8pm"), ("mark the tax return", "as done"), ("cancel", "band practice"),
        ("add rice", "to the camping list"), ("snooze the tax return", "until monday"),
        ("make the tax return", "high priority"), ("add", "call the bank tomorrow"),
    ]
]  # fmt: skip
QUESTIONS = [
    "what do I have tomorrow?", "when is band practice?", "what's on the camping list?", "am I free on friday morning?",
    "what are my tasks?", "what should I do next?", "what can you do?", "when did I add the tax return?",
]  # fmt: skip
REMARKS = [
    "wish me luck", "took me ages", "what a day", "mondays are honestly the worst", "the traffic was a nightmare again",
    "so tired", "fingers crossed", "my cousin is getting married", "lol", "that film was great", "it's so cold in here",
    "work was chaos today", "thanks", "hello", "good evening",
]  # fmt: skip


MORE = [
    "never schedule anything before 9", "always ask me before adding tasks", "from now on urgent tasks are high",
    "add milk to the shopping list", "buy stamps by friday", "remind me at 6pm to feed the cat", "new task: wax skis",
    "book a massage tomorrow at 5", "call mum tomorrow at 5", "add one more task: buy socks", "note: the wifi is down",
    "add lunch with Ben on friday at noon", "am i free friday at 3?", "what is the first thing on my list?",
    "ok what's on friday?", "do i have anything this week?", "how are you?", "that's funny", "my job is teacher",
    "i work in Porto now", "both kids are ill today", "it rained all day on friday", "i saw Bob yesterday at 9",
    "the first snow fell today", "i only slept two hours", "the second half starts at nine",
    "yes i saw that film on monday", "no idea what to cook tonight", "all good here", "thank you so much", "nice one",
    "what did i do last?", "sure is cold this week", "one more thing",
]  # fmt: skip


def brought_to(name: str) -> State:
    state = state_of(CASE)
    if STATES[name]:
        turned(STATES[name], state, "first")
    return state


def applied(said: str, state: State) -> list[str]:
    rows = turned(said, state, "second").rows
    return sorted(f"{row['op']} {row['kind']}" for row in rows if row["status"] == "applied")


@pytest.mark.parametrize(("state", "act"), list(product(STATES, ACTS)))
def test_each_act_in_each_state_changes_what_the_table_says(state: str, act: str) -> None:
    assert applied(ACTS[act], brought_to(state)) == TABLE[state][act]


@pytest.mark.parametrize("state", ["asked which", "held"])
def test_a_message_of_its_own_leaves_the_question_open(state: str) -> None:
    before = brought_to(state)
    asked = before.pending
    assert asked is not None
    turned(ACTS["new"], before, "second")
    assert before.pending is not None
    assert before.pending.asked == asked.asked


@pytest.mark.parametrize("state", [state for state in STATES if STATES[state]])
def test_beside_a_question_words_of_their_own_do_what_they_do_without_it(state: str) -> None:
    beside = {said: applied(said, brought_to(state)) for said in [*REQUESTS, *QUESTIONS, *REMARKS, *MORE]}
    assert beside == {said: applied(said, brought_to("idle")) for said in beside}
