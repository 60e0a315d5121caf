from __future__ import annotations

import pytest

from app.database.baseline import FILES, LAST_OF_BASELINE, MigrationError, replaced_files, stands_at_baseline
from app.database.migration_steps import known_names, plan

REPLACED = dict.fromkeys(replaced_files(), "")


def test_a_new_database_is_not_at_the_baseline() -> None:
    assert not stands_at_baseline([])
    assert not stands_at_baseline([step.name for step in plan({})])


def test_a_database_of_all_replaced_files_is_at_the_baseline() -> None:
    assert stands_at_baseline(REPLACED)


@pytest.mark.parametrize("missing", ["0001_langgraph_tenancy.sql", "0479_orders_no_memories.sql"])
def test_a_database_of_some_of_them_is_refused_with_the_first_that_it_lacks(missing: str) -> None:
    with pytest.raises(MigrationError, match=missing):
        plan({name: "" for name in REPLACED if name != missing})


def test_files_are_numbered_and_the_tenth_is_the_last_of_the_baseline() -> None:
    names = sorted(path.name for path in FILES.glob("*.sql"))
    assert [name[:3] for name in names] == [f"{number:02}_" for number in range(1, len(names) + 1)]
    assert names[9] == LAST_OF_BASELINE
    assert not replaced_files() & set(names)


def test_whatever_was_applied_the_steps_have_the_same_names_and_checksums() -> None:
    fresh, older = ([(step.name, step.sha256) for step in plan(recorded)] for recorded in ({}, REPLACED))
    assert fresh == older


def test_a_backup_may_name_the_replaced_files() -> None:
    assert known_names() == REPLACED.keys() | {step.name for step in plan({})}
