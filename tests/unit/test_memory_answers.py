"""How answers from memory are judged, and that the questions which they are judged by have the answers they state."""

from __future__ import annotations

import pytest

from tests.support import lives
from tests.support.lives import Wanted
from tests.support.lives.judging import Outcome, Told, judge

CODE = Wanted("n", "change", "", "What is the code?", (("9032",),), ("4471",), frozenset({"n53"}))
UNKNOWN = Wanted("n", "none", "", "What is the licence plate?", (), (), frozenset())


@pytest.mark.parametrize(
    ("wanted", "reply", "cited", "outcome"),
    [
        (CODE, "On 1 May 2026: “It is 9032 now.” Before that you said: “It is 4471.”", {"n53", "n17"}, "right"),
        (CODE, "On 1 May 2026: “It is 4471.” Later you said: “It is 9032 now.”", {"n53", "n17"}, "wrong quote"),
        (CODE, "On 1 May 2026: “The shed has code 9032.”", {"n17"}, "wrong quote"),
        (CODE, "The closest I have: on 1 May 2026: “It is 9032 now.”", {"n53"}, "right, as the closest"),
        (CODE, "The closest I have: on 1 May 2026: “The shed is green.”", {"n02"}, "declined wrongly"),
        (CODE, "I don't have that.", set(), "declined wrongly"),
        (UNKNOWN, "I don't have that.", set(), "declined"),
        (UNKNOWN, "The closest I have: on 1 May 2026: “The car is red.”", {"n02"}, "declined"),
        (UNKNOWN, "On 1 May 2026: “The car is red.”", {"n02"}, "answered"),
    ],
)
def test_an_answer_is_judged_by_its_first_quotes(wanted: Wanted, reply: str, cited: set[str], outcome: Outcome) -> None:
    assert judge(wanted, Told(reply, frozenset(cited))) == outcome


def test_a_question_that_changes_something_is_not_right() -> None:
    told = Told("Added “the code is 9032”.", frozenset({"n53"}), changed=True)
    assert judge(CODE, told) == "wrong quote"
    assert judge(UNKNOWN, told) == "answered"


def test_each_question_has_its_answer_in_a_memo_of_its_life() -> None:
    words = {memo.name: f"{memo.words} {memo.day:%-d %B} 2 times 3 times" for memo in lives.memos()}
    for one in lives.questions():
        assert bool(one.memos) is (one.kind != "none"), one
        assert all(name.startswith(one.life) for name in one.memos), one
        said = " ".join(words[name] for name in one.memos).casefold()
        stated = [all(part.casefold() in said for part in parts) for parts in one.accepted]
        assert any(stated) is (one.kind != "none"), one
