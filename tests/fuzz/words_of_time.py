"""Fuzzes the time grammar by coverage: ``python -m tests.fuzz.words_of_time --seconds 600`` (needs atheris).

Every input is a sentence of time words, numerals, clauses and raw text, read at a chosen moment in a chosen zone. A
sentence that crashes, hangs longer than five seconds or breaks an invariant is printed and kept by libFuzzer.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from datetime import UTC, datetime, timedelta
from types import FunctionType
from typing import Any

from agents.time import clock_for
from agents.time.lexicon import CARDINALS, MONTHS, ORDINALS, PARTS_OF_DAY, UNITS, WEEKDAYS
from agents.time.search import grammar

LONGEST_SECONDS = 5
ZONES = ("UTC", "Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")
EPOCH = datetime(1971, 1, 1, tzinfo=UTC)
MINUTES = 80 * 366 * 24 * 60
SIGNS = "- , . : / ' \" @ ~ # ( ) + & ! ? \n 😀 明天 mañana завтра".split(" ")
NUMERALS = (
    "0 1 2 3 5 7 12 13 24 29 30 31 60 99 2027 99999 25:61 12:30 5pm 4a 7h 9h15 8.30 31/2 20.11.2026 2026-11".split()
)
WORDS = sorted(
    {*CARDINALS, *ORDINALS, *WEEKDAYS, *MONTHS, *UNITS, *PARTS_OF_DAY, *grammar().by_word, *SIGNS, *NUMERALS}
)


def sentence(data: Any) -> str:
    """A sentence of up to 24 pieces, most of them words that the grammar knows."""
    pieces = []
    for _ in range(data.ConsumeIntInRange(1, 24)):
        raw = data.ConsumeIntInRange(0, 15) == 0
        pieces.append(data.ConsumeUnicodeNoSurrogates(8) if raw else WORDS[data.ConsumeIntInRange(0, len(WORDS) - 1)])
    return " ".join(pieces)


def one_input(raw: bytes) -> None:
    """Read one sentence; any exception is a finding."""
    from tests.fuzz.sound import sound

    data = importlib.import_module("atheris").FuzzedDataProvider(raw)
    zone = ZONES[data.ConsumeIntInRange(0, len(ZONES) - 1)]
    at = EPOCH + timedelta(minutes=data.ConsumeIntInRange(0, MINUTES))
    text = sentence(data)
    begun = time.process_time()
    try:
        sound(text, clock_for(at, zone))
        assert time.process_time() - begun < LONGEST_SECONDS, "too slow"
    except BaseException:
        sys.stderr.write(f"finding: {text!r} at {at.isoformat()} in {zone}\n")
        raise


def functions(package: str) -> list[FunctionType]:
    """The functions of a package: following every library as well would take minutes before the first sentence."""
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    members = [member for module in modules for member in vars(module).values()]
    return [member for member in members if isinstance(member, FunctionType) and member.__module__.startswith(package)]


def main() -> None:
    """Fuzz for so many seconds; libFuzzer's own options may follow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    options, more = parser.parse_known_args()
    atheris = importlib.import_module("atheris")
    for function in functions("agents.understanding."):
        atheris.instrument_func(function)
    atheris.Setup([sys.argv[0], f"-max_total_time={options.seconds}", "-max_len=400", *more], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
