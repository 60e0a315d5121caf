"""The short form of ``make soak ARGS=crash``: flows whose server dies at a moment that matters to each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.waiting import HANG_SECONDS
from tests.survival.boundaries import that_count
from tests.survival.flow_rounds import kept, strike
from tests.survival.flows import Flow, flows

MOMENTS = {
    "Clip": ["_flush_folder fsync before 2", "summit:transcribe_memo claimed"],
    "Remembering": ["MemorySources.dequeue commit"],
    "Undo": ["PostgresLedger.apply after"],
    "Workflow": ["PostgresWorkflowWork.end commit"],
    "Run": ["_replace fsync after"],
}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("flows") / "data"
    with kept(folder):
        yield folder


@pytest.fixture(scope="module")
def every() -> Iterator[dict[str, Flow]]:
    with flows() as made:
        yield made


@pytest.mark.parametrize("name", MOMENTS)
def test_a_flow_whose_server_dies_happens_once(name: str, data_dir: Path, every: dict[str, Flow]) -> None:
    assert strike(every[name], data_dir, MOMENTS[name], patience=HANG_SECONDS) == []


def test_what_only_reads_is_no_place_to_die() -> None:
    trace = "see before|see only reads|see commit|see after|keep before|keep commit|keep after|flush before|flush after"
    assert that_count(trace.split("|")) == ["keep commit", "keep after", "flush before", "flush after"]


def test_the_same_boundary_is_numbered_each_time() -> None:
    trace = "keep commit|keep after|keep only reads|keep commit|keep after"
    assert that_count(trace.split("|")) == ["keep commit", "keep after", "keep commit 2", "keep after 2"]
