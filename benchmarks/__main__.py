"""``python -m benchmarks [NAME ...]``: runs one with its options, or all that are short and need no data of yours."""

from __future__ import annotations

import sys
from importlib import import_module

ALONE = ("turns", "conflicts", "many_tasks", "model", "speech", "speech_load")
LONG = ("crowd",)
WITH_DATA = ("understanding", "intents", "memory")
WITH_ANSWERS = ("model_quality",)


def main() -> None:
    """Run what was named; what follows a name are its own options."""
    chosen = (sys.argv[1],) if len(sys.argv) > 1 else ALONE
    known = (*ALONE, *LONG, *WITH_DATA, *WITH_ANSWERS)
    if not set(chosen) <= {*known}:
        raise SystemExit(f"There is no benchmark {sys.argv[1]}; there are: {', '.join(known)}.")
    for name in chosen:
        print(f"== {name}")
        sys.argv = [f"{sys.argv[0]} {name}", *sys.argv[2:]]
        import_module(f"benchmarks.{name}").main()
    if chosen == ALONE:
        print(f"Left out, as it takes ten minutes: {', '.join(LONG)}.")
        print(f"Left out, as they measure with data of yours: {', '.join(WITH_DATA)} (--data DIR).")
        print(f"Left out, as they need a model or its recorded answers: {', '.join(WITH_ANSWERS)}.")


main()
