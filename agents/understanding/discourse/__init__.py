"""How a message goes on from those before it: answers to questions, corrections, and words that lean on the last turn."""
