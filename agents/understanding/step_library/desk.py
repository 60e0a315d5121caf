"""Steps for writing, preparing, planning and paperwork; what names its object stands before what takes any."""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "write|draft|compose",
        r"(?:a |an |the |my )?(?P<x>(?:thank[- ]you )?(?:card|cards|note|notes|letter|letters)\b.{0,80})",
        (
            "Decide who {x} goes to and why | Write two or three personal sentences for {x} | Sign {x} and "
            "address the envelope | Post or hand over {x}"
        ),
    ),
    (
        "write|draft|compose",
        "X(report|essay|paper|article|thesis|chapter|proposal|post|section|module|story)",
        (
            "Collect the facts and sources for {x} | List the points {x} has to make, in order | Write a rough "
            "version of {x} without stopping | Cut what {x} does not need | Read {x} aloud and correct it"
        ),
    ),
    (
        "write|draft|compose|prepare",
        "X(email|mail|message|reply)",
        (
            "Note the one thing {x} must achieve | Write {x} in a few short lines | Check names, dates and "
            "attachments in {x} | Send {x}"
        ),
    ),
    (
        "write|draft",
        "X",
        "List what {x} must say | Write a rough version of {x} | Cut and order {x} | Read {x} aloud and correct it",
    ),
    (
        "finish|complete|finalise|finalize|wrap up",
        "X",
        (
            "List what is still missing in {x} | Do the smallest missing piece of {x} first | Work through the "
            "rest of {x} | Check {x} once from start to end"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(presentation|talk|slides|deck|pitch|demo|speech)",
        (
            "Write the one sentence people should keep from {x} | Sketch the order of {x} on paper | Make the "
            "slides or notes for {x} | Rehearse {x} aloud with a timer | Pack charger, adapter and a copy of {x}"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(interview)",
        (
            "Read the job and the people behind {x} | Write down three stories to tell in {x} | Practise answers "
            "for {x} aloud | Plan clothes and route for {x}"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(exam|test|quiz|midterm|final|finals)",
        (
            "List the topics of {x} | Do one old question for each topic of {x} | Mark what went wrong and redo "
            "it for {x} | Put the things needed for {x} in the bag"
        ),
    ),
    (
        "prepare|prep",
        "(?:for )?X(meeting|call|sync|review|retro|workshop|session|conference|appointment)",
        (
            "Write the outcome you want from {x} | Collect the papers and numbers for {x} | List your questions "
            "for {x} | Send the agenda or material for {x}"
        ),
    ),
    (
        "prepare|prep",
        "X(dinner|lunch|breakfast|meal|food)",
        (
            "Choose the dishes for {x} | Check the kitchen and list what to buy for {x} | Do the shopping for {x} "
            "| Cook {x} in order of cooking time"
        ),
    ),
    (
        "prepare|prep|get ready for",
        "(?:for )?X",
        "List everything {x} needs | Get what is missing for {x} | Set it all out for {x} | Check {x} against the list",
    ),
    (
        "plan|organise|organize",
        "X(party|birthday|wedding|shower|barbecue|bbq|celebration)",
        (
            "Fix date, place and budget for {x} | Write the guest list for {x} and invite people | Choose food, "
            "drinks and music for {x} | Make a timetable for the day of {x}"
        ),
    ),
    (
        "plan|organise|organize",
        "X(trip|holiday|vacation|travel|journey|getaway|visit)",
        (
            "Fix the dates and the budget of {x} | Compare how to get there for {x} | Book transport and a place "
            "to stay for {x} | List papers and things to pack for {x}"
        ),
    ),
    (
        "plan",
        "X(week|month|day|sprint|quarter)",
        (
            "Write down everything that waits in {x} | Choose the three things that matter most in {x} | Give "
            "each a place in {x} | Leave free time in {x} for surprises"
        ),
    ),
    (
        "plan",
        "X(meal|meals|menu|dinners)",
        "Check what is in the fridge for {x} | Choose dishes for {x} | Write the shopping list for {x}",
    ),
    (
        "plan",
        "X",
        (
            "Write down what {x} must achieve | List the steps of {x} in order | Put a date on each step of {x} | "
            "Start the first step of {x}"
        ),
    ),
    (
        "apply",
        "for X",
        (
            "Read what {x} asks for | Collect papers for {x} | Fill in the form for {x} | Have someone check {x} "
            "| Send {x} and note the date"
        ),
    ),
    (
        "register|sign up|enroll|enrol",
        "(?:for |in )?X",
        "Check dates and price of {x} | Fill in the form for {x} | Pay for {x} | Put the dates of {x} in the calendar",
    ),
    (
        "submit|hand in|turn in",
        "X",
        "Check that {x} is complete | Save {x} in the form that is asked for | Submit {x} | Keep the receipt for {x}",
    ),
    (
        "study|revise|learn",
        "(?:for |about )?X",
        (
            "Choose one topic of {x} | Read it for 25 minutes with the phone away | Write from memory what you "
            "know about {x} | Check and fix the gaps in {x}"
        ),
    ),
    (
        "read",
        "X(paper|article|book|report|chapter|thesis)",
        "Skim headings and summary of {x} | Read the key part of {x} | Note three points from {x}",
    ),
    (
        "research|investigate|compare|look into",
        "X",
        (
            "Write the question about {x} in one sentence | Find three good sources on {x} | Note what they say "
            "about {x} | Decide what to do about {x}"
        ),
    ),
)
