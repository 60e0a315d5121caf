"""What code says in other languages: every template in every catalog, plurals, dates, and who decides the language."""

from __future__ import annotations

from datetime import UTC, date, datetime
from string import Formatter

import pytest

from agents.contract import AgentReport, Change, Option, Pending, Question, RouterDecision
from agents.dates_in_words import say_day, say_duration, say_on, say_when
from agents.languages import answer_meant, known_language, languages, retold, say, speaking
from agents.phrases import say_count, say_list
from agents.recurrence.describe import describe_rule
from agents.rendering.changes import claim_sentence
from agents.synthesizer import closing_sentences, reply_language, settled_sentences
from tests.unit.agents.templates import numbered, templates

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)  # a Wednesday
SPOKEN = languages()
ENGLISH_ONLY = {"ending"}
"""Placeholders that other languages have no use for: "15th"."""


def catalog(tag: str) -> dict[str | tuple[str, int], str]:
    """The translations of a language by their English."""
    language = known_language(tag)
    assert language is not None
    return dict(vars(language.texts)["_catalog"])


def placeholders(template: str) -> list[str]:
    """The names in a template."""
    return sorted({name for _, name, _, _ in Formatter().parse(template) if name} - ENGLISH_ONLY)


def new_task(title: str, **fields: object) -> Change:
    """The ledger row of a new task."""
    after = {"remind_at": None, "time_to_complete": None, "task": title, **fields}
    return Change(
        id="c",
        cursor=1,
        turn_id="t",
        agent="update_todos",
        seq=0,
        op="create",
        kind="todo",
        record_id="r",
        title=title,
        fields=fields,
        before=None,
        after=after | {"deadline": fields.get("deadline")},
        status="applied",
        created_at=NOW,
    )


def test_the_languages_are_those_of_the_catalogs() -> None:
    assert SPOKEN == ["de", "pt_BR"]


@pytest.mark.parametrize("tag", SPOKEN)
def test_every_template_is_in_every_catalog_and_nothing_else(tag: str) -> None:
    own = {english for english in catalog(tag) if isinstance(english, str) and english and "\x04" not in english}
    assert own == templates()
    forms = {english for english in catalog(tag) if isinstance(english, tuple)}
    assert forms == {(one, form) for one, _ in numbered() for form in (0, 1)}


@pytest.mark.parametrize("tag", SPOKEN)
def test_a_translation_has_the_placeholders_of_its_template_and_is_not_empty(tag: str) -> None:
    for english, own in catalog(tag).items():
        template = english[0] if isinstance(english, tuple) else english.rpartition("\x04")[2]
        if template:
            assert own.strip(), template
            assert set(placeholders(own)) <= set(placeholders(template)), template
            assert placeholders(own) == placeholders(template) or "\x04" in str(english), template


def test_all_catalogs_retell_the_same_english() -> None:
    kinds = [{key for key in catalog(tag) if isinstance(key, str) and "\x04" in key} for tag in SPOKEN]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(
    ("tag", "day", "moment", "near", "on"),
    [
        ("en", "Friday 20 November", "Friday 20 November at 17:05", "tomorrow at 09:00", "on Friday 20 November"),
        (
            "de", "Freitag, 20. November", "Freitag, 20. November um 17:05", "morgen um 09:00",
            "am Freitag, 20. November",
        ),
        (
            "pt-BR", "sexta-feira, 20 de novembro", "sexta-feira, 20 de novembro às 17:05", "amanhã às 09:00",
            "em sexta-feira, 20 de novembro",
        ),
    ],
)  # fmt: skip
def test_days_and_times(tag: str, day: str, moment: str, near: str, on: str) -> None:
    with speaking(tag):
        assert say_day(date(2026, 11, 20), NOW) == day
        assert say_when(datetime(2026, 11, 20, 17, 5, tzinfo=UTC), NOW) == moment
        assert say_when(datetime(2026, 11, 19, 9, tzinfo=UTC), NOW) == near
        assert say_on(date(2026, 11, 20), NOW) == on
        assert not say_on(date(2026, 11, 19), NOW).startswith(("on ", "am ", "em "))


@pytest.mark.parametrize(
    ("tag", "none", "one", "many"),
    [
        ("en", "0 minutes", "1 day", "2 hours 30 minutes"),
        ("de", "0 Minuten", "1 Tag", "2 Stunden 30 Minuten"),
        ("pt-BR", "0 minuto", "1 dia", "2 horas 30 minutos"),  # Portuguese counts nought as one
    ],
)
def test_numbers_take_the_plural_of_the_language(tag: str, none: str, one: str, many: str) -> None:
    with speaking(tag):
        assert say_duration(0) == none
        assert say_count(1, "day") == one
        assert say_duration(150) == many


@pytest.mark.parametrize(
    ("tag", "listed", "rule"),
    [
        ("de", "Brot, Salz und Tee", "alle zwei Wochen am Montag und Mittwoch bis 30. Juni 2027"),
        ("pt-BR", "Brot, Salz e Tee", "a cada duas semanas, segunda-feira e quarta-feira até 30 de junho de 2027"),
    ],
)
def test_lists_and_rules(tag: str, listed: str, rule: str) -> None:
    with speaking(tag):
        assert say_list(["Brot", "Salz", "Tee"]) == listed
        assert describe_rule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20270630T000000Z") == rule


def test_a_claim_is_in_the_language_and_keeps_the_users_words() -> None:
    row = new_task("Miete {überweisen}", deadline="2026-11-20")
    with speaking("de-AT"):
        said = claim_sentence(row, NOW)
    assert said == "“Miete {überweisen}” steht jetzt auf deiner Aufgabenliste, fällig Freitag, 20. November."


def test_a_language_without_a_catalog_is_answered_in_english() -> None:
    with speaking("fr"):
        assert say("today") == "today"
    with speaking("de"), speaking("en-GB"):
        assert say("today") == "today"


def test_a_reason_that_the_ledger_keeps_is_retold() -> None:
    with speaking("de"):
        assert retold("“Milch” is done already") == "“Milch” ist schon erledigt"
        assert retold("there is no such event any more") == "das gibt es nicht mehr (Termin)"
        assert retold("a reason that nobody translated") == "a reason that nobody translated"
    assert retold("you said no") == "you said no"


def test_a_title_is_never_retold() -> None:
    with speaking("de"):
        assert retold("“note” is done already") == "“note” ist schon erledigt"


def test_code_asks_in_the_language_and_offers_its_yes_and_no() -> None:
    pending = Pending(missing="proceed", text="x", at=NOW, options=[Option(label="yes"), Option(label="no")])
    question = Question(text="Do you want me to undo “Zahnarzt”?", options=["yes", "no"], pending=pending)
    decision = RouterDecision(disposition="clarify", questions=[question], understanding="model", language="de")
    with speaking("de"):
        assert next(closing_sentences(decision, [], question, NOW)) == question.text
        report = AgentReport(worker="update_todos", error="I could not deal with your tasks: it took too long. "
                             "Nothing was changed there; please try again.")  # fmt: skip
        told = list(settled_sentences(decision, [report], NOW))
    assert " ".join(told) == (
        "Ich konnte mich nicht kümmern um deine Aufgaben: es hat zu lange gedauert. "
        "Dort ist nichts geändert; bitte versuch es noch einmal."
    )


@pytest.mark.parametrize(
    ("said", "meant"),
    [("Ja!", "yes"), ("ja, bitte", "yes"), ("Nein.", "no"), ("Sim", "yes"), ("não, obrigado", "no")],
)
def test_a_short_answer_in_another_language_is_a_yes_or_a_no(said: str, meant: str) -> None:
    assert answer_meant(said) == meant


@pytest.mark.parametrize("said", ["", "Ja, aber erst morgen", "sim, e compra leite", "ja " * 50, "?"])
def test_anything_more_is_understood_as_a_message(said: str) -> None:
    assert answer_meant(said) == ""


def test_the_language_that_the_model_named_goes_before_the_setting() -> None:
    named = RouterDecision(disposition="reply", language="de")
    assert reply_language(named, {"language": "pt-BR"}) == "de"
    assert reply_language(RouterDecision(disposition="reply"), {"language": "pt-BR"}) == "pt-BR"
    assert reply_language(RouterDecision(disposition="reply"), None) == "en"
