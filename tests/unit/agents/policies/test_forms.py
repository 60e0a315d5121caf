"""Marked wishes to rules: what is enforced, and what stays advice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.policies.compiling import rules_in_reading
from agents.policies.forms import rules_for
from agents.rendering.policies import describe_rules
from tests.support.readings import read_as
from training.annotations import FOLDER

ENFORCED = {
    "{rule/confirm always ask me before [k adding] [q tasks]}": "I ask before I add tasks",
    "{rule/confirm never [k delete] [q anything] without asking me first}": "I ask before I delete anything",
    "{rule/confirm Don’t [k add] [q reminders] without asking}": "I ask before I add tasks",
    "{rule/confirm check with me before you [k change] my [q calendar]}": "I ask before I change events",
    "{rule/confirm ask me before [k deleting] [q anything] about [t work]}": (
        "I ask before I delete anything about “work”"
    ),
    "{rule/confirm ask before [k moving] [t client] [q meetings]}": "I ask before I change events about “client”",
    "{rule/confirm ask me before [k moving] [q calls]}": "I ask before I change anything about “calls”",
    "{rule/confirm before you [k delete] a [q note], ask me}": "I ask before I delete notes",
    "{rule/confirm I want to approve every [k deletion]}": "I ask before I delete anything",
    "{rule/confirm confirm with me before [k adding] [q events] [w on fridays]}": (
        "I ask before I add events on Fridays"
    ),
    "{rule/confirm ask me before [k booking] [q anything] [w on a wednesday]}": (
        "I ask before I add anything on Wednesdays"
    ),
    "{rule/confirm never make any [k changes] without my permission}": (
        "I ask before I add, change, complete, archive and delete anything"
    ),
    "{rule/confirm ask before you [k touch] my [q calendar]}": (
        "I ask before I add, change, complete, archive and delete events"
    ),
    "{rule/confirm always ask me before you [k add] [q anything] to my [q list]}": "I ask before I add tasks and notes",
    "{rule/confirm [x adding] is fine on your own, [k moving] needs my ok}": "I ask before I change anything",
    "{rule/conflict ask me before double booking}": "I ask before events overlap",
    "{rule/conflict ask me when two [t visits] fall on the same hour}": "I ask before events overlap",
    "{rule/priority if i say [t asap] mark it [pr p1]}": "new urgent tasks get high priority unless you say another",
    "{rule/priority Any new [q task] for [t Norte] gets [pr high priority].}": (
        "new tasks about “norte” get high priority unless you say another"
    ),
    "{rule/priority [t reading] goes [pr low]}": "new tasks about “reading” get low priority unless you say another",
    "{rule/priority new [q tasks] are [pr medium priority] by default}": (
        "new tasks get medium priority unless you say another"
    ),
    "{rule/estimate add an estimate automatically}": "new tasks get an estimate unless you give one",
    "{rule/estimate auto-estimate my [t homework] [q tasks]}": (
        "new tasks about “homework” get an estimate unless you give one"
    ),
    "{rule/estimate give every [q task] an estimated time of [d 20 minutes]}": (
        "new tasks get an estimate of 20 minutes unless you give one"
    ),
    "{rule/duration [q meetings] are [d 30 minutes] by default}": "new events last 30 minutes unless you say otherwise",
    "{rule/duration the default [q meeting] length is [d half an hour]}": (
        "new events last 30 minutes unless you say otherwise"
    ),
    "{rule/duration make my [t spa] [q appointments] [d an hour]}": (
        "new events about “spa” last 1 hour unless you say otherwise"
    ),
    "{rule/duration [q calls] last [d an hour and a half]}": (
        "new events about “calls” last 1 hour 30 minutes unless you say otherwise"
    ),
    "{rule/duration new [q events] come out at [d 45] not [x 60]}": (
        "new events last 45 minutes unless you say otherwise"
    ),
    "{rule/reminder always remind me [d 30 minutes] before [q meetings]}": "I remind you 30 minutes before events",
    "{rule/reminder every [t flight], remind me [d the day] before}": "I remind you 1 day before events about “flight”",
    "{rule/reminder two reminders on [t hearings], [d a week] and [d an hour] before}": (
        "I remind you 7 days before events about “hearings” and I remind you 1 hour before events about “hearings”"
    ),
    "{rule/never never schedule [w before 9]}": "I ask before I put events before 09:00",
    "{rule/never nothing [w before half past eight]}": "I ask before I put events before 08:30",
    "{rule/never no [q meetings] [w on fridays]}": "I ask before I put meetings on Fridays",
    "{rule/never no [q meetings] [w on friday afternoons]}": (
        "I ask before I put meetings between 12:00 and 18:00 on Fridays"
    ),
    "{rule/never no [q meetings] with [t clients] [w before ten]}": (
        "I ask before I put events about “clients” before 10:00"
    ),
    "{rule/never no [q calls] [w after 18:00]}": "I ask before I put events about “calls” after 18:00",
    "{rule/never no [q sessions] [w after 20]}": "I ask before I put events about “sessions” after 20:00",
    "{rule/never no [q tasks] [w on sundays]}": "I ask before I put tasks on Sundays",
    "{rule/never keep lunch [w 12-1] free}": "I ask before I put events between 12:00 and 13:00",
    "{rule/never don't plan [q anything] [w from 10pm to 6am]}": (
        "I ask before I put events after 22:00 and I ask before I put events before 06:00"
    ),
    "{rule/only [q meetings] only [w on weekdays]}": "I ask before I put meetings on Saturdays and Sundays",
    "{rule/only only book [q meetings] [w between 10 and 4]}": (
        "I ask before I put meetings before 10:00 and I ask before I put meetings after 16:00"
    ),
    "{rule/only my working day is [w six to two]}": (
        "I ask before I put events before 06:00 and I ask before I put events after 14:00"
    ),
    "{rule/only my working hours are [w ten at night till six]}": "I ask before I put events between 06:00 and 22:00",
    "{rule/quiet quiet hours [w from 22 to 7]}": "nothing nudges you from 22:00 to 07:00",
    "{rule/quiet don't disturb me [w after 10pm]}": "nothing nudges you from 22:00 to 07:00",
    "{rule/quiet no notifications [w at night]}": "nothing nudges you from 22:00 to 07:00",
    "{rule/quiet no pings [w before 9 or after 9]}": "nothing nudges you from 21:00 to 09:00",
    "{rule/quiet no pings [w before 8 or after half nine at night]}": "nothing nudges you from 21:30 to 08:00",
    "{rule/quiet do not disturb me [w before eight o'clock]}": "nothing nudges you from 00:00 to 08:00",
    "{rule/short keep replies short}": "I keep my replies short",
    "{rule/short keep replies less than 10 words}": "I keep my replies short",
    "{rule/long give me detailed answers}": "I tell the details too",
    "{rule/short short answers} and {rule/noemoji no emojis}": "I keep my replies short and I use no emojis",
    "{rule/never never schedule [w before 9]} and {rule/confirm ask me before [k deleting] [q anything]}": (
        "I ask before I put events before 09:00 and I ask before I delete anything"
    ),
}
ADVICE = (
    "{rule/advice use British spelling, please}",
    "{rule/confirm check with me first}",
    "{rule/confirm check with me before you [k change] my calendar}",
    "{rule/confirm ask me before [k deleting] >3 [q things]}",
    "{rule/confirm ask before [k putting] [q things] [w on my lunch hour]}",
    "{rule/confirm ask before you [k cancel] [q anything] but [x the gym]}",
    "{rule/conflict never book over [t mass], except with [x Ana]}",
    "{rule/priority [q meetings] are [pr high]}",
    "{rule/priority [q everything] gets a level}",
    "{rule/estimate [q meetings] need an estimate}",
    "{rule/estimate put [d a while] on [q everything]}",
    "{rule/duration [t dinner] [d one and a half]}",
    "{rule/duration any [q job] without a length, make it [d half a day]}",
    "{rule/duration [q meetings] are [d an hour] but [x interviews]}",
    "{rule/reminder remind me [d a month] ahead}",
    "{rule/reminder remind me [d the evening] before [q appointments]}",
    "{rule/reminder warn me [d two days] before every [q deadline]}",
    "{rule/reminder remind me [d an hour] ahead of [q anything] [w in the evening]}",
    "{rule/never no [t 1:1s] [w before 11]}",
    "{rule/never no [q notes] [w before 11]}",
    "{rule/never no [q meetings] [w before 10] when Marta is here}",
    "{rule/never keep some time free}",
    "{rule/never save [w wednesday mornings] for [x choir]}",
    "{rule/never no [q meetings] on fridays [w before 11]}",
    "{rule/only [q calls] only [w after that]}",
    "{rule/quiet no pings [w on sundays]}",
    "{rule/quiet no pings about [t work] [w before 9]}",
    "{rule/short short [w before nine]}",
    "{todo book nothing before nine}",
)


@pytest.mark.parametrize("marked", ENFORCED)
def test_what_a_form_fits_is_enforced(marked: str) -> None:
    assert describe_rules(rules_in_reading(read_as(f"wish | {marked}"))) == ENFORCED[marked]


@pytest.mark.parametrize("marked", ADVICE)
def test_what_a_rule_cannot_hold_stays_advice(marked: str) -> None:
    assert rules_in_reading(read_as(f"wish | {marked}")) == ()


def test_a_wish_that_was_hardly_understood_stays_advice() -> None:
    assert rules_in_reading(read_as("wish | {rule/short be brief}", sure=0.7)) == ()


def test_a_part_that_was_hardly_read_makes_advice_where_it_decides() -> None:
    def held_to(marked: str) -> bool:
        (clause,) = read_as(f"wish | {marked}").clauses
        return bool(rules_for(replace(clause, slots=tuple(replace(slot, sure=0.4) for slot in clause.slots))))

    assert not held_to("{rule/never nothing [w before nine]}")
    assert not held_to("{rule/confirm always ask before you [k delete] [q things]}")
    assert held_to("{rule/conflict tell me when two [q things] clash}")


def test_the_annotated_wishes_compile_unless_they_are_advice() -> None:
    lines = (FOLDER / "wishes.txt").read_text(encoding="utf-8").splitlines()
    readings = [read_as(line) for line in lines if line.startswith("wish")]
    advice = [reading for reading in readings if all(clause.topic == "advice" for clause in reading.clauses)]
    enforced = [reading for reading in readings if rules_in_reading(reading)]
    assert not [reading.text for reading in advice if reading in enforced]
    assert len(enforced) > 0.84 * (len(readings) - len(advice))
