"""What a clause may be about; marked for the next network, the one that is shipped does not tell it yet."""

from __future__ import annotations

WISH = "wish"
"""The context of a standing wish that stands by itself, with its parts marked."""
QUESTIONS = tuple(
    "agenda next room hours clash countdown length details state steps todos finished workload tagged reminders timers "
    "list notes memory profile former rules history wayback clock date last other".split()
)
"""What a question is looked up in; training/FORMAT.md tells what each is."""
RULES = tuple("confirm conflict never only quiet estimate duration reminder priority short long noemoji advice".split())
"""What a standing wish asks for; what cannot be held to is advice."""
MOODS = tuple("greeting thanks bye praise anger sad glad howareyou tired lively plain another".split())
"""What talk is; another is a wish for something else than was suggested."""
HELP = tuple("abilities howto settings connect".split())
"""What help is wanted with."""
TOPICS = (*QUESTIONS, *MOODS, *HELP, *RULES)
TOPICS_OF = {
    "ask": QUESTIONS, "rule": RULES, "chat": MOODS, "coach": MOODS, "remark": MOODS,
    "help": (*HELP, *QUESTIONS), "cannot": ("settings", "plain"),
}  # fmt: skip
"""What a clause may be about, by its act; of other acts no topic is told."""
