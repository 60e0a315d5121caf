"""What the encoder tells words apart by. The order is that of the trained weights.

A new name at the end of the last of joined tuples keeps the weights of all others; anywhere else they are learned
anew.
"""

from __future__ import annotations

CONTEXTS = ("idle", "did", "which", "when", "yes", "what", "wish")
"""What a message comes after: nothing, a change, or a question (which one, when, yes or no, what). In "wish" it is the
words of a standing wish by itself."""

ACTS = tuple(
    "todo remind event list note noteadd fact rule edit snooze done reopen drop listout listdone factout ruleout "
    "undo fix more yes no pick tell ask coach help chat remark cannot vague".split()
)
"""What a clause is for; training/FORMAT.md has an example of each."""

SLOTS = tuple("t g v w sh d p i l c n x pr df st a k q fname fjob fhome fcollege fcourse flike fother".split())
"""What words of a clause are: title, named record, time ..."""

CUTS = ("O", "B", "I")
"""Whether a word is outside of clauses, begins one or goes on in one."""

SLOT_LABELS = ("O", *(f"{part}-{slot}" for slot in SLOTS for part in "BI"))

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

LABEL_GROUPS = (CUTS, SLOT_LABELS, ACTS, TOPICS)
LABEL_COUNT = sum(map(len, LABEL_GROUPS))
"""How many scores each word gets: of its cut and its slot, of the act and the topic of its clause, in this order."""

FLAGS = ("time", "todo", "event", "note", "line", "aside")
"""What is known of a word before it is read: it lies in a time; it stands in the name of a stored task, event, note or
list, or in a line of a list; it stands in what the message comes after."""
TIME = FLAGS.index("time")
