"""Models of this machine, without asking any: what is recommended and why, how speed is told, names, addresses."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from app.models.local.local_servers import kind_of
from app.models.local.measure import Pace
from app.models.local.recommend import reasons, recommend
from app.models.model.local_models import LocalServer, Measured, ServerKind, nothing_runs, slug_of
from app.models.model.providers import Provider
from app.settings import Settings

HERE = "http://127.0.0.1:8000/v1"


def model(name: str, *, tools: bool = False, json: bool = False, pace: float | None = None) -> Measured:
    return Measured(HERE, name, tools, json, None if pace is None else 0.25, pace)


BOTH, FASTER = model("both", tools=True, json=True, pace=20), model("faster", tools=True, json=True, pace=40)
TOOLS, JSON = model("tools", tools=True, pace=90), model("json", json=True, pace=95)
WORDS, NOTHING = model("words", pace=99), Measured(HERE, "nothing", detail="It does not answer.")


@pytest.mark.parametrize(
    ("measured", "best"),
    [
        ([BOTH, TOOLS, JSON, WORDS], "both"),
        ([BOTH, FASTER], "faster"),
        ([JSON, WORDS, TOOLS], "tools"),
        ([NOTHING, WORDS, JSON], "json"),
        ([model("untimed", tools=True, json=True), BOTH], "both"),
        ([WORDS, NOTHING], None),
        ([], None),
    ],
)
def test_tools_come_first_then_json_then_speed(measured: list[Measured], best: str | None) -> None:
    found = recommend(measured)
    assert (found.model if found else None) == best


FASTEST = (
    "faster is recommended: it calls tools and returns JSON in the form that is asked, and is the fastest of the 2 "
    "that do (40 tokens a second, the first after 0.25 s)."
)
TOOLS_ALONE = (
    "tools is recommended: it calls tools, though it does not return JSON in the form that is asked, and is the only "
    "one that does (90 tokens a second, the first after 0.25 s)."
)


@pytest.mark.parametrize(
    ("best", "measured", "told"),
    [
        (
            FASTER,
            [BOTH, FASTER, WORDS],
            FASTEST,
        ),
        (
            TOOLS,
            [TOOLS, JSON],
            TOOLS_ALONE,
        ),
        (
            model("json", json=True),
            [model("json", json=True)],
            "json is recommended: it returns JSON in the form that is asked, though it calls no tools.",
        ),
    ],
)
def test_the_reasons_are_one_sentence(best: Measured, measured: list[Measured], told: str) -> None:
    assert reasons(best, measured) == told


def words(text: str) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text}}]}


def paced(*events: dict[str, Any]) -> Pace:
    """What is told of events that come a second apart."""
    seconds = count()
    pace = Pace(lambda: float(next(seconds)))
    pace.begin()
    for event in events:
        pace.hear(event)
    return pace


def test_speed_is_told_by_the_tokens_that_are_counted_or_by_events() -> None:
    counted = paced(words("one"), words("two"), words("three"), {"choices": [], "usage": {"completion_tokens": 9}})
    assert (counted.first_token_seconds, counted.tokens_per_second) == (1.0, 4.0)
    thought = {"choices": [{"delta": {"reasoning": "hm"}}]}
    uncounted = paced({"choices": [{"delta": {"role": "assistant"}}]}, thought, words("one"), words("two"))
    assert (uncounted.first_token_seconds, uncounted.tokens_per_second) == (1.0, 1.0)


def test_of_an_answer_in_one_piece_no_speed_is_told() -> None:
    whole = paced(words("all of it"), {"choices": [], "usage": {"completion_tokens": 30}})
    assert (whole.first_token_seconds, whole.tokens_per_second) == (1.0, None)
    at_once = Pace(lambda: 7.0)
    for text in ("all", "of", "it"):
        at_once.hear(words(text))
    assert at_once.tokens_per_second is None
    silent = paced()
    assert (silent.first_token_seconds, silent.tokens_per_second) == (None, None)


@pytest.mark.parametrize(
    ("owners", "address", "kind"),
    [
        (["library"], "http://127.0.0.1:5000/v1", "ollama"),
        (["somebody"], "http://127.0.0.1:11434/v1", "ollama"),
        ([], "http://127.0.0.1:11434/v1", "ollama"),
        (["llamacpp"], "http://127.0.0.1:8000/v1", "llama.cpp"),
        (["vllm"], "http://127.0.0.1:8080/v1", "vllm"),
        (["organization_owner"], "http://127.0.0.1:5000/v1", "lm-studio"),
        ([], "http://127.0.0.1:1234/v1", "lm-studio"),
        (["sglang"], "http://127.0.0.1:8000/v1", "other"),
        ([None], "http://127.0.0.1/v1", "other"),
    ],
)
def test_a_program_is_told_by_what_it_says_before_its_port(
    owners: list[str | None], address: str, kind: ServerKind
) -> None:
    listed = json.dumps({"data": [{"id": "m", "owned_by": owner} for owner in owners]})
    assert kind_of(listed.encode(), address) == kind


@pytest.mark.parametrize(
    ("known", "slug"),
    [
        ([], "vllm"),
        ([Provider("vllm", "vLLM", "http://gpu.example/v1", "direct", ("chat",))], "vllm-2"),
        (
            [Provider("vllm", "V", "http://a/v1", "direct", ()), Provider("vllm-2", "V", "http://b/v1", "direct", ())],
            "vllm-3",
        ),
        ([Provider("lab", "Lab", f"{HERE}/", "direct", ("chat",))], "lab"),
        ([Provider("lab", "Lab", HERE, "direct", ("embeddings",))], "vllm"),
    ],
    ids=["new", "a namesake elsewhere", "two namesakes", "known by another name", "known for something else"],
)
def test_no_provider_elsewhere_is_led_to_a_server_here(known: list[Provider], slug: str) -> None:
    assert slug_of(LocalServer("vllm", HERE, ["m"], ""), known) == slug


def test_how_to_start_one_is_told_in_two_lines() -> None:
    first, second = nothing_runs([HERE]).splitlines()
    assert HERE in first
    assert "ollama pull" in second


def test_summit_looks_where_the_four_programs_are_by_themselves() -> None:
    assert Settings(_env_file=None).llm_local_servers == [
        f"http://127.0.0.1:{port}/v1" for port in (11434, 8080, 1234, 8000)
    ]


@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.1.2:8000/v1",
        "http://models.example/v1",
        "http://127.0.0.1.evil.example/v1",
        "http://127.0.0.1@evil.example/v1",
        "http://evil.example\\@127.0.0.1/v1",
        "http://evil.example#@127.0.0.1/v1",
        "http://0.0.0.0:8000/v1",
        "http://169.254.169.254/v1",
        "file://127.0.0.1/v1",
        "127.0.0.1:8000",
    ],
)
def test_an_address_elsewhere_is_no_setting(address: str) -> None:
    with pytest.raises(ValueError, match="llm_local_servers"):
        Settings(_env_file=None, llm_local_servers=[address])


def test_addresses_of_this_machine_are_taken() -> None:
    given = ["http://localhost:9000/v1/", "https://[::1]:9000/v1", "http://127.0.0.7/v1"]
    kept = Settings(_env_file=None, llm_local_servers=given).llm_local_servers
    assert kept == ["http://localhost:9000/v1", "https://[::1]:9000/v1", "http://127.0.0.7/v1"]
