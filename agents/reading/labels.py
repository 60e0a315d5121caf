"""What the encoder tells words apart by. The order is that of the trained weights: new names go to the end."""

from __future__ import annotations

CONTEXTS = ("idle", "did", "which", "when", "yes", "what")
"""What a message comes after: nothing, a change, or a question (which one, when, yes or no, what)."""

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
SIZE = len(CUTS) + len(SLOT_LABELS) + len(ACTS)
"""How many scores each word gets: those of its cut, of its slot, of the act of its clause, in this order."""

FLAGS = ("time", "todo", "event", "note", "line", "aside")
"""What is known of a word before it is read: it lies in a time; it stands in the name of a stored task, event, note or
list, or in a line of a list; it stands in what the message comes after."""
TIME = FLAGS.index("time")
