"""What leans on the turns before: answers to a question, corrections, undo, the focus coach and small talk."""
