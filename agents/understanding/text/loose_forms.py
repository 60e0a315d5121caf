"""Loose forms of speech, and what they say plainly: "after school at four", "and say it's due friday", "i've to ring Jo"."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)
LOOSE_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (P.WHO_COMES, r"\g<who>is "),
    (P.NEXT_IS, r"\g<told>. "),
    (P.PUT_TIME, "set aside "),
    (P.TOPIC_OFTEN, r"\g<lead>make \g<what> "),
    (P.CANT_MAKE, r"\g<lead>move \g<what> to \g<when>"),
    (P.BLOCK_TOO, r"\g<deed>\g<first>. \g<deed>"),
    (P.OFF_AND_OUT, r"\g<told>"),
    (P.I_SHALL, r"\g<who>'ll"),
    (P.IF_ANYTHING, " "),
    (P.NOTHING_ELSE, ""),
    (P.WHEREABOUTS, r"where \g<be>"),
    (P.THINGS_TO_DO, r"\g<whose> to-do list"),
    (P.LEVEL_WILL_DO, r"\g<lead>set it to \g<level> priority"),
    (P.DAY_WILL_DO, r"\g<lead>it is due \g<day>"),
    (P.DOWN_AS, r"set \g<what> to \g<level>"),
    (P.SEE_TO_IT, "it is due "),
    (P.HAVE_IT_LATER, r"move \g<what> \g<long> \g<way>"),
    (P.MOVED_PLACE, " is moved to "),
    (P.WILL_RUN, r" \g<go>s "),
    (P.PER_DAY, r"\g<long> every \g<unit>"),
    (P.PREFERABLY, ""),
    (P.PUT_INSTEAD, r"move \g<what> to \g<new>"),
    (P.MOVE_ITS, r"move \g<what> to \g<new>"),
    (P.FOR_A_DUTY, ""),
    (P.START_DOING, r"put \g<what> \g<where>"),
    (P.MOVED_DAYS, " moves to "),
    (P.GONNA_BE, " is "),
    (P.OFTEN_AFTER, r" \g<often>\g<then>"),
    (P.PUT_IN_THAT, r"\g<what>, put that in my calendar"),
    (P.TO_LIST_FIRST, r"add \g<items> to \g<list>"),
    (P.SHOULD_LIKE, r"\g<who> would \g<like>"),
    (P.BY_HEARSAY, r"\g<lead>"),
    (P.WAITS_THEN, r"\g<verb> \g<what>"),
    (P.NOT_WANTED_THERE, r"remove \g<what> from my calendar"),
    (P.KEEP_LENGTH, " for "),
    (P.A_PRIORITY, r"set \g<what> to high priority"),
    (P.NEEDED_TIME, r"\g<lead>\g<what> takes \g<long>"),
    (P.TO_GO, r"\g<lead>i need to take \g<what>"),
    (P.TOLD_TO_DO, r"what do \g<who> have to "),
    (P.SLOT_OFFERED, r"book \g<what> \g<when>"),
    (P.MEAL, r"\g<lead>schedule "),
    (P.RATHER, r"\g<verb> \g<what>"),
    (P.WAS_AGAIN, r"\g<ask> is \g<what>"),
    (P.HAVE_TO, r"\g<who> have to "),
    (P.AFTER_SCHOOL, ""),
    (P.SAY_ITS, ". "),
    (P.LIST_FOR, r"\g<on> \g<whose> \g<what> \g<list> list"),
    (P.AS_REMINDER, r"remind me to \g<what>"),
)
