from __future__ import annotations

from typing import Any

import pytest

from agents.understanding import understand_line


@pytest.mark.parametrize(
    ("zone", "instant"),
    [
        ("Europe/Lisbon", "2026-11-19T17:00:00+00:00"),
        ("-02:00", "2026-11-19T17:00:00-02:00"),
        ("+09:00", "2026-11-19T17:00:00+09:00"),
    ],
)
def test_a_zone_is_a_name_or_a_fixed_offset(zone: str, instant: str) -> None:
    line = {"id": "1", "text": "call the vet tomorrow at 5", "now": "2026-11-18T10:30:00", "tz": zone}
    assert understand_line(line)["time"][0]["start"] == instant


def line(text: str) -> dict[str, Any]:
    return understand_line({"id": "1", "text": text, "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"})


@pytest.mark.parametrize(
    ("text", "intent", "intents"),
    [
        ("ring the vet tomorrow at 5", "add_task", ["todo"]),
        ("my name is Ines", "profile_fact", ["fact"]),
        ("please call me Ines", "profile_fact", ["fact"]),
        ("rehearsal tomorrow at 5pm", "schedule_event", ["event"]),
        ("remind me to oil the gate at 6", "reminder", ["remind"]),
        ("order a taxi for me please", "ood", ["cannot"]),
    ],
)
def test_the_intent_agrees_with_what_is_proposed(text: str, intent: str, intents: list[str]) -> None:
    understood = line(text)
    assert (understood["intent"], understood["intents"]) == (intent, intents)
    assert 0 < understood["probability"] <= 1


@pytest.mark.parametrize("text", ["call me back at 5", "are you able to call me by my name"])
def test_a_call_is_no_name(text: str) -> None:
    assert not [item for item in line(text)["proposals"] if item["kind"] == "profile"]
