"""What a question to memory means that follows others: by which words it is searched for, and in which order."""

from __future__ import annotations

import pytest

from agents.ports import Exchange
from app.memory.following import readings
from app.memory.model.memory import Asked
from tests.support.ledgers import LISBON, NOW

BOILER = Exchange(
    said="What did I say about the boiler?", replied="On 2 March 2026: “The boiler was fixed by Harald, not by Ana.”"
)
ROOM = Exchange(said="Who takes Callum's room?", replied="On 5 November 2026: “A nurse called Hattie gets the room.”")
ASKED = Exchange(said="Did Una call?", replied="On 5 November 2026: “No call of Una today.”")
LEANING = Exchange(said="And when was it?", replied="On 3 March 2026: “The boiler works.”")
SMALL_TALK = Exchange(said="thanks", replied="You are welcome.")


@pytest.mark.parametrize(
    ("recent", "question", "searched"),
    [
        ([BOILER], "how much did it cost?", ["how much did it cost? (boiler)", "how much did it cost?"]),
        ([BOILER, LEANING], "how much did it cost?", ["how much did it cost? (boiler)", "how much did it cost?"]),
        ([BOILER], "what is his number?", ["what is his number? (Harald Ana)", "what is his number?"]),
        ([BOILER], "and the radiators?", ["and the radiators? (boiler)", "and the radiators?"]),
        ([BOILER], "and in April?", ["What did I say about the boiler in April"]),
        ([BOILER], "and before that?", ["What did I say about the boiler until 1 March 2026"]),
        ([ROOM], "when is she moving in?", ["when is she moving in? (Hattie)", "when is she moving in?"]),
        ([ASKED], "where is she?", ["where is she? (Una No)", "where is she?"]),
        ([BOILER], "who with?", ["who with? (boiler)", "who with?"]),
        ([BOILER], "how much?", ["how much? (boiler)", "how much?"]),
        ([BOILER, Exchange(said="Where?", replied="In the cellar.")], "why?", ["why? (boiler)", "why?"]),
        ([BOILER], "who is the vet?", ["who is the vet?"]),
        ([], "how much did it cost?", ["how much did it cost?"]),
        ([LEANING], "how much did it cost?", ["how much did it cost?"]),
        ([SMALL_TALK], "where is she?", ["where is she? (thanks)", "where is she?"]),
    ],
)
def test_a_question_is_searched_for_with_what_it_leans_on_and_then_as_it_is(
    recent: list[Exchange], question: str, searched: list[str]
) -> None:
    assert [one.text for one in readings(Asked(question, NOW, LISBON, recent=recent))] == searched
