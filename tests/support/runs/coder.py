"""A coding agent in Claude Code's format that really edits files: ``coder.py NAME [MODEL]``, the prompt by stdin.

It plays every role by its prompt. The first build of a phase is wrong and what comes back is mended, so that the
project's checks really fail once; the review of the second phase sends it back once.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

WORK = Path(".summit", "work")
PHASES = [
    {"title": "Mend the roof", "goal": "leaks() is False", "done_when": "test_roof.py passes"},
    {"title": "Measure the roof", "goal": "area() multiplies", "done_when": "test_area.py passes"},
]
CODE = {
    "Mend the roof": "def leaks():\n    return {leaks}\n",
    "Measure the roof": "def area(a, b):\n    return {op}\n",
}
TESTS = {
    "Mend the roof": "from roof import leaks\n\n\ndef test_it_holds():\n    assert not leaks()\n",
    "Measure the roof": "from area import area\n\n\ndef test_it_multiplies():\n    assert area(2, 3) == 6\n",
}
FILES = {"Mend the roof": ("roof.py", "test_roof.py"), "Measure the roof": ("area.py", "test_area.py")}


def act(prompt: str, name: str) -> str:
    """Do what the prompt asks for; the words at the end."""
    with Path.cwd().parent.joinpath(f"{Path.cwd().name}.calls").open("a") as calls:
        calls.write(prompt.splitlines()[0][:60] + "\n")
    model = sys.argv[2] if len(sys.argv) > 2 else ""
    number = sum(1 for _ in Path.cwd().parent.glob("*.prompt"))
    Path.cwd().parent.joinpath(f"{number}-{model}.prompt").write_text(prompt)
    if "product manager" in prompt:
        text = "" if name == "forgetful" and "You wrote no" not in prompt else f"# Wanted\n{prompt.splitlines()[0]}\n"
        return write("prd.md", text + ("With a gutter.\n" if "gutter" in prompt else ""))
    if "engineering manager" in prompt:
        broken = name == "sloppy" and "not as it has to be" not in prompt
        return write("plan.json", json.dumps({"phases": [] if broken else PHASES}))
    if "You review phase" in prompt:
        return review(prompt, name)
    if "The work on this branch is over" in prompt:
        return write("postmortem.md", "It went well.\n\nLesson: look at the roof first.\n")
    return build(prompt, name)


def build(prompt: str, name: str) -> str:
    if name == "overwrites":
        Path(".summit").mkdir(exist_ok=True)
        Path(".summit", "AGENTS.md").write_text("Other.\n")
        Path(".summit", "BELIEFS.md").write_text("Tests first.\n")
        return "Wrote them."
    if "slowly" in name:
        time.sleep(0.3)
    phase = next((title for title in FILES if title in prompt), "")
    if not phase:
        Path("README.md").write_text(prompt.split("\n")[1] + "\n")
        return "Did what was asked for."
    right = "From the step before" in prompt and name != "hopeless"
    code, tests = FILES[phase]
    Path(code).write_text(CODE[phase].format(leaks=not right, op="a * b" if right else "a"))
    Path(tests).write_text(TESTS[phase])
    return "Built."


def review(prompt: str, name: str) -> str:
    file = re.search(r"\.summit/work/(review-[\d.]+\.json)", prompt)
    assert file
    sent_back = name == "strict" and file[1] == "review-2.2.json"
    return write(
        file[1],
        json.dumps({"verdict": "sent_back", "findings": ["name the unit"]} if sent_back else {"verdict": "approved"}),
    )


def write(name: str, text: str) -> str:
    WORK.mkdir(parents=True, exist_ok=True)
    if text:
        (WORK / name).write_text(text)
    return f"Wrote {name}."


def tell(what: object) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    prompt = sys.stdin.read()
    tell({"type": "system", "subtype": "init", "session_id": "s-1"})
    if sys.argv[1] == "logged-out" and not Path.cwd().parent.joinpath("login").exists():
        tell({"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 401 Unauthorized"})
        sys.exit(1)
    if sys.argv[1] == "limited":
        tried = Path.cwd().parent.joinpath("tried")
        with tried.open("a") as tries:
            tries.write("x")
        if len(tried.read_text()) <= 4:
            tell("Claude AI usage limit reached|1")
            sys.exit(1)
    if sys.argv[1] == "parked" and not (ends := Path.cwd().parent / "ends").exists():
        ends.write_text(str(int(time.time()) + 8))
        tell(f"Claude AI usage limit reached|{ends.read_text()}")
        sys.exit(1)
    if sys.argv[1] == "stands":
        time.sleep(600)
    done = act(prompt, sys.argv[1])
    tell({"type": "assistant", "message": {"content": [{"type": "text", "text": done}]}})
    tell({"type": "result", "subtype": "success", "is_error": False, "result": done, "total_cost_usd": 0.25})
