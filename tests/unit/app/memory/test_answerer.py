"""A question and a statement as the network takes them, and what it makes of them."""

from __future__ import annotations

import pytest

from app.memory.vectors.answerer import BEGIN, END, MOST_ASKED, MOST_SAID, Answerer, pad_rows, row_of


@pytest.fixture(scope="module")
def answerer() -> Answerer:
    return Answerer()


def test_a_question_and_a_statement_are_one_text_of_two_parts() -> None:
    pieces, parts = row_of("Where is it?", "In the loft.")
    assert (pieces[0], pieces.count(END), pieces[-1]) == (BEGIN, 2, END)
    assert parts == [0] * (pieces.index(END) + 1) + [1] * (len(pieces) - pieces.index(END) - 1)


def test_long_texts_are_cut() -> None:
    pieces, _ = row_of("where " * 1000, "there " * 1000)
    assert len(pieces) == MOST_ASKED + MOST_SAID + 3


def test_rows_are_padded_to_the_longest() -> None:
    rows = [row_of("Who?", "Ida."), row_of("Who?", "Ida and her aunt.")]
    padded = pad_rows(rows)
    assert {array.shape for array in padded.values()} == {(2, len(rows[1][0]))}
    assert padded["mask"].sum(axis=1).tolist() == [len(rows[0][0]), len(rows[1][0])]


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Where is the spare fuse?", "I keep the spare fuses in the blue tin.", "A fuse blew again last night."),
        ("Who repairs the harp?", "Old Benedetta mends the harp in her shed.", "The harp stood in the rain."),
        ("How much was the saddle?", "The saddle set me back ninety crowns.", "The saddle is made of oak-tanned hide."),
    ],
)
def test_what_answers_scores_higher_than_what_is_about_the_same(
    answerer: Answerer, question: str, answer: str, other: str
) -> None:
    first, second = answerer.score(question, [answer, other])
    assert first > second


def test_scores_come_in_the_order_of_the_statements_and_hang_on_no_other(answerer: Answerer) -> None:
    texts = [f"The {word} is in the {'long ' * number}shed." for number, word in enumerate(["rake", "hoe", "axe"] * 8)]
    together = answerer.score("Where is the axe?", texts)
    alone = [float(answerer.score("Where is the axe?", [one])[0]) for one in texts]
    assert together == pytest.approx(alone)


@pytest.mark.parametrize("odd", ["", " ", "\0", "\ud800", "\u202e\U0001f9e8", "?" * 5000])
def test_odd_texts_are_scored_too(answerer: Answerer, odd: str) -> None:
    assert len(answerer.score(odd, [odd, "It is in the shed."])) == 2
