"""A hook of schemathesis: cases are drawn, not searched for.

It looks for cases that succeed by climbing from one to the next, which takes nineteen of twenty seconds and sends few.
"""

from __future__ import annotations

import hypothesis


def _no_target(observation: float, *, label: str = "") -> float:
    """In place of hypothesis.target: nothing is aimed at."""
    return 0.0


hypothesis.target = _no_target
