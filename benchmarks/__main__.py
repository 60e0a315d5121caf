"""``python -m benchmarks [NAME ...]``: runs one benchmark with its options, or all of them."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = ("turns", "understanding")


def main() -> None:
    """Run what was named; what follows a name are its own options."""
    chosen = NAMES if len(sys.argv) < 2 else (sys.argv[1],)
    if not set(chosen) <= set(NAMES):
        raise SystemExit(f"There is no benchmark {sys.argv[1]}; there are: {', '.join(NAMES)}.")
    for name in chosen:
        print(f"== {name}")
        sys.argv = [f"{sys.argv[0]} {name}", *sys.argv[2:]]
        import_module(f"benchmarks.{name}").main()


main()
