"""A thread's digest says what was changed and asked, in whole titles, and stays as long as it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agents.contract import Change, Pending, Question
from agents.languages import speaking
from agents.rendering.thread_summary import MOST_ITEMS, MOST_LETTERS, ThreadSummary
from tests.support.asking import changed

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def asked(text: str) -> Question:
    return Question(text=text, pending=Pending(missing="rephrase", text="x", at=NOW))


def test_it_tells_changes_items_and_the_open_question() -> None:
    done = changed("call mom", op="complete", turn="t2")
    lunch = changed("lunch", kind="event", record_id="event-1")
    digest = (
        ThreadSummary().after([changed("call mom"), lunch], asked("When?"), NOW).after([done], asked("Which?"), NOW)
    )
    assert digest.text().splitlines() == [
        "Since 18 November 2026: 3 changes (1 task added, 1 event added and 1 task done).",
        "Last: task “call mom” done 18 November 2026; event “lunch” added 18 November 2026.",
        "Waiting for an answer: Which?",
    ]


def test_it_is_in_one_language_whatever_the_user_speaks() -> None:
    digest = ThreadSummary().after([changed("call mom"), changed("Zahnarzt", kind="event", record_id="e")], None, NOW)
    with speaking("de"):
        assert "2 changes (1 task added and 1 event added)" in digest.text()


def test_an_answered_question_and_what_failed_are_not_told() -> None:
    failed = changed("call dad").model_copy(update={"status": "failed"})
    digest = ThreadSummary().after([failed], asked("When?"), NOW).after([], None, NOW)
    assert digest.text() == ""


def test_it_stays_flat_and_cuts_no_title() -> None:
    digest, titles = ThreadSummary(), [f"{number} {'word ' * 90}".strip() for number in range(300)]
    for number, title in enumerate(titles):
        change: Change = changed(title, record_id=f"todo-{number}", turn=f"t{number}")
        digest = digest.after([change], None, NOW + timedelta(days=number))
    assert digest.changes == 300
    assert len(digest.items) <= MOST_ITEMS
    assert sum(len(item.title) for item in digest.items) <= MOST_LETTERS
    assert [item.title for item in digest.items] == titles[-len(digest.items) :]
    assert "…" not in digest.text()
