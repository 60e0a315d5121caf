"""The words that stand outside of slots where something is asked for: `python -m training.outside` writes them anew.

A word of a message that is in no slot and not among these was probably not understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

from agents.reading.words import split_words
from training.annotations import FOLDER, Sentence, read_sentences

TARGET = Path("agents/understanding/outside_words.txt")
ASKING = frozenset(
    "todo remind event list note noteadd fact rule edit snooze done reopen drop listout listdone factout ruleout "
    "undo fix more".split()
)
LEAST_COUNT, LEAST_SHARE, WIDTH = 4, 0.08, 119


def outside_words(sentences: Iterable[Sentence]) -> list[str]:
    """Return the words that stand outside of slots at least four times, and not only by chance."""
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for sentence in sentences:
        # Of a wish by itself only what a rule can hold to is marked.
        for clause in sentence.clauses if sentence.context != "wish" else ():
            for start, end in split_words(sentence.text) if clause.act in ASKING else ():
                word = sentence.text[start:end].lower().replace("\u2019", "'")
                if clause.start <= start < clause.end and word[0].isalnum() and not word.isdigit():
                    counter = inside if any(slot.start <= start < slot.end for slot in clause.slots) else outside
                    counter[word] += 1
    seen = ((word, count, count / (count + inside[word])) for word, count in outside.items())
    return sorted(word for word, count, share in seen if count >= LEAST_COUNT and share > LEAST_SHARE)


def main() -> None:
    """Write them where the decision reads them."""
    sentences = (sentence for path in sorted(FOLDER.glob("*.txt")) for _, sentence in read_sentences(path))
    TARGET.write_text(fill(" ".join(outside_words(sentences)), WIDTH, break_on_hyphens=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
