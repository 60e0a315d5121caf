"""How good Summit is with a language model: a hundred and forty turns, judged by what came of them.

    python -m benchmarks model_quality --dump FOLDER [--answers PATH]     the prompts that wait for an answer
    python -m benchmarks model_quality --answers PATH                     replay recorded answers, judge the turns
    python -m benchmarks model_quality --base-url URL --model M           ask a real server [--record FOLDER]

Each turn goes the whole way: inbox, graph, ledger, reply, on a PostgreSQL of its own. The turns and their outcomes are
in tests/data/model_quality; ``--only`` takes names, categories, or the sets ``single`` and ``conversations``. A dump
goes on where answers end: with an answer to the first call of a turn, it holds the second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from contextlib import aclosing
from pathlib import Path
from typing import Any

from benchmarks.model_quality.report import Judged, default_baseline, show, summary
from tests.support.fakes import ScriptedModelServer
from tests.support.model_quality.endpoint import Endpoint, read_answers
from tests.support.model_quality.judge import judged
from tests.support.model_quality.stage import Played, opened
from tests.support.model_quality.turns import FOLDER, Case, cases


def main() -> None:
    """Play, judge, print."""
    options = _options()
    endpoint = Endpoint(
        answers=read_answers(options.answers),
        dump=options.dump,
        record=options.record,
        upstream=(options.base_url, options.api_key) if options.base_url else None,
    )
    played = asyncio.run(_play(options, endpoint, cases(options.only)))
    if options.dump:
        _show_waiting(played, options.dump)
        return
    rows = [Judged(one, judged(one)) for one in played]
    baseline = json.loads(options.baseline.read_text(encoding="utf-8")) if options.baseline.exists() else None
    show(rows, baseline)
    if options.json:
        options.json.write_text(json.dumps(summary(rows), ensure_ascii=False, indent=1), encoding="utf-8")
    if options.save_baseline:
        kept = {name: value for name, value in summary(rows).items() if name.startswith("tokens")}
        options.baseline.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=(), help="names, categories or sets of cases")
    parser.add_argument("--answers", type=Path, default=FOLDER / "answers.jsonl", help="folder or file of answers")
    parser.add_argument("--dump", type=Path, help="folder for the prompts that have no answer yet; nothing is judged")
    parser.add_argument("--base-url", help="a real OpenAI-compatible server")
    parser.add_argument("--model", default="recorded", help="its model")
    parser.add_argument("--api-key", default="")
    parser.add_argument("--record", type=Path, help="folder for what the real server answers")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long a turn may wait for its model")
    parser.add_argument("--json", type=Path, help="file for the whole result")
    parser.add_argument("--baseline", type=Path, default=default_baseline(FOLDER), help="tokens to compare with")
    parser.add_argument("--save-baseline", action="store_true", help="keep the tokens of this run for that")
    return parser.parse_args()


async def _play(options: argparse.Namespace, endpoint: Endpoint, chosen: list[Case]) -> list[Played]:
    played: list[Played] = []
    with ScriptedModelServer() as server:
        endpoint.serve(server)
        async with opened(endpoint, _settings(options, server.base_url)) as stage:
            for case in chosen:
                async with aclosing(stage.play(case)) as turns:
                    async for one in turns:
                        played.append(one)
                        if options.dump and _waits(one):
                            break  # what comes after an answer that is not known yet is another conversation
    return played


def _settings(options: argparse.Namespace, base_url: str) -> dict[str, Any]:
    """Settings of the models: a call without an answer fails once, and no failure makes the next turn do without."""
    return {
        "llm_base_url": base_url,
        "llm_model": options.model,
        "llm_budget_seconds": options.seconds,
        "llm_retries": 0 if options.dump else 2,
        "llm_backoff_seconds": 0.02,
        "llm_failures": 10**6,
    }


def _waits(played: Played) -> bool:
    return any(asked.answer is None for asked in played.asked)


def _show_waiting(played: list[Played], folder: Path) -> None:
    """Which calls want an answer, and which turns asked no model at all."""
    waiting = [asked.key for one in played for asked in one.asked if asked.answer is None]
    unasked = [one.turn.name for one in played if not one.asked]
    print(f"{len(waiting)} calls in {folder} wait for an answer; {len(unasked)} of {len(played)} turns asked no model:")
    print("\n".join([*waiting, *(f"({name})" for name in unasked)]))
