"""Prompts that front ends make by themselves, out of their packages: nothing acts, each is answered in its form.

`make test-clients` fetches the packages; their text is read, none of their code is run.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.pages import ROOT
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import HANG_SECONDS

PACKAGES = ROOT / "build" / "front_ends"
CHAT = [
    "book the regatta on saturday at 11 and remind me to pack the sails",
    "Done. Remember to buy rope tomorrow.",
    "Never schedule anything before 9.\n\n- mark the dentist as done\n# Plans\ncancel the gym",
    "Okay.",
    'add "oars" to the boat list\n```\nundo that\n```\n{"title": "delete all my tasks"}',
]
NOT_ASKED_ALONE = re.compile("CODE_INTERPRETER|VOICE_MODE|REALTIME|RAG_TEMPLATE|TOOLS_FUNCTION")
"""Prompts for the system, beside a message of the user."""
FORMS: dict[str, Any] = {
    "TITLE": {"title": "Book the regatta on saturday"},
    "TAGS": {"tags": ["General"]},
    "IMAGE": {"prompt": ""},
    "FOLLOW_UP": {"follow_ups": []},
    "QUERY": {"queries": []},
    "AUTOCOMPLETE": {"text": ""},
}


def package(pattern: str) -> Path:
    found = sorted(PACKAGES.glob(pattern))
    if not found:
        pytest.skip("the front ends are not fetched: make test-clients")
    return found[-1]


def constants(source: str) -> Iterator[tuple[str, str]]:
    """Yield the texts that a module of Python names."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield node.targets[0].id, value.value


def open_webui_prompts() -> dict[str, str]:
    modules = ("open_webui/config.py", "open_webui/utils/context_compaction.py")
    with zipfile.ZipFile(package("open_webui-*.whl")) as wheel:
        texts = [pair for name in modules for pair in constants(wheel.read(name).decode())]
    return {name: text for name, text in texts if re.fullmatch(r"DEFAULT_\w*(TEMPLATE|PROMPT)", name)}


def librechat_source(name: str) -> str:
    with tarfile.open(package("librechat-agents-*.tgz")) as archive:
        file = archive.extractfile(f"package/src/{name}")
        assert file is not None
        return file.read().decode()


def filled(template: str, chat: list[str]) -> str:
    """Fill a template of Open WebUI as it does."""
    said = "\n".join(f"{('USER', 'ASSISTANT')[at % 2]}: {words}" for at, words in enumerate(chat))
    text = re.sub(r"{{(?:COMPACTED_|RECENT_)?MESSAGES[^}]*}}", lambda _: said, template)
    text = re.sub(r"(?i){{prompt[^}]*}}", lambda _: chat[-1], text)
    text = text.replace("{{responses}}", "\n\n".join(f'"""{words}"""' for words in chat))
    return re.sub(r"{{\w+}}", lambda _: "add buy varnish to my tasks", text)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("prompts") / "data") as started:
        yield started


def ask(server: RunningServer, **body: Any) -> dict[str, Any]:
    body = {"model": "summit", **body}
    answer = httpx.post(f"{server.url}/v1/chat/completions", json=body, timeout=HANG_SECONDS)
    assert answer.status_code == 200, answer.text
    message: dict[str, Any] = answer.json()["choices"][0]["message"]
    return message


def nothing_changed(server: RunningServer) -> bool:
    return bool(httpx.get(f"{server.url}/v1/changes", timeout=HANG_SECONDS).json()["items"] == [])


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_open_webuis_prompts(server: RunningServer) -> None:
    templates = {name: text for name, text in open_webui_prompts().items() if not NOT_ASKED_ALONE.search(name)}
    assert len(templates) >= len(FORMS) + 3
    for name, template in templates.items():
        for chat in (CHAT[:1], CHAT[:3], CHAT):
            reply = ask(server, messages=user(filled(template, chat)))["content"]
            form = next((form for key, form in FORMS.items() if f"DEFAULT_{key}_" in name), None)
            assert reply, name
            assert form is None or json.loads(reply) == form, name
            if "EMOJI" in name:
                assert reply in template
            if "MOA" in name:
                assert reply == chat[0]
            assert nothing_changed(server), name


def test_open_webuis_choice_of_tools(server: RunningServer) -> None:
    system = open_webui_prompts()["DEFAULT_TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE"].replace("{{TOOLS}}", "[]")
    said = "\n".join(f'{("USER", "ASSISTANT")[at % 2]}: """{words}"""' for at, words in enumerate(CHAT[:4]))
    for query in (f"History:\n{said}\nQuery: {CHAT[4]}", f"Query: {CHAT[0]}"):
        reply = ask(server, messages=[{"role": "system", "content": system}, *user(query)])["content"]
        assert json.loads(reply) == {"tool_calls": []}
        assert nothing_changed(server)


def test_open_webuis_documents(server: RunningServer) -> None:
    template = open_webui_prompts()["DEFAULT_RAG_TEMPLATE"]
    context = "\n".join(f'<source id="{at}" name="{at}.pdf">{words}</source>' for at, words in enumerate(CHAT))
    assert ask(server, messages=user(template.replace("{{CONTEXT}}", context) + "\nwhat is the capital of Peru?"))
    assert nothing_changed(server)


def test_librechats_titles_in_words(server: RunningServer) -> None:
    source = librechat_source("utils/title.ts")
    [talk] = re.findall(r"titlePromptTemplate \?\? '([^']+)'", librechat_source("run.ts"))
    convo = talk.replace("\\n", "\n").replace("{input}", CHAT[2]).replace("{output}", CHAT[1])
    prompts = dict(re.findall(r"const (default\w+Prompt) = `([^`]+)`", source))
    assert set(prompts) == {"defaultTitlePrompt", "defaultCompletionPrompt"}
    for prompt in prompts.values():
        assert ask(server, messages=user(prompt.replace("{convo}", convo)))["content"]
        assert nothing_changed(server)


def test_librechats_titles_in_a_form(server: RunningServer) -> None:
    for literal in re.findall(r"const \w+Schema = (\{.*?\}) as const;", librechat_source("utils/title.ts"), re.DOTALL):
        made = subprocess.run(["node", "-p", f"JSON.stringify({literal})"], capture_output=True, text=True, check=True)
        schema = json.loads(made.stdout)
        tool = {"type": "function", "function": {"name": "extract", "parameters": schema}}
        choice = {"type": "function", "function": {"name": "extract"}}
        called = ask(server, messages=user(f"User: {CHAT[0]}\nAI: Done."), tools=[tool], tool_choice=choice)
        arguments = json.loads(called["tool_calls"][0]["function"]["arguments"])
        wanted = {"type": "json_schema", "json_schema": {"name": "extract", "schema": schema}}
        told = json.loads(ask(server, messages=user(f"User: {CHAT[0]}"), response_format=wanted)["content"])
        assert set(arguments) == set(told) == set(schema["required"])
        assert arguments["title"] == "Book the regatta on saturday"
        assert nothing_changed(server)


def test_librechats_summaries(server: RunningServer) -> None:
    source = librechat_source("summarization/shared.ts")
    prompts = dict(re.findall(r"const (DEFAULT_\w*SUMMARIZATION_PROMPT) = `([^`]+)`", source))
    assert len(prompts) == 2
    talk = [{"role": ("user", "assistant")[at % 2], "content": words} for at, words in enumerate(CHAT[:4])]
    for prompt in prompts.values():
        asked = f"{prompt}\n\n<previous-summary>\n{CHAT[0]}\n</previous-summary>"
        assert ask(server, messages=[*talk, *user(asked)])["content"]
        assert nothing_changed(server)
