"""What was said: one message into clauses, free of filler and restarts, and the intents that their patterns name."""
