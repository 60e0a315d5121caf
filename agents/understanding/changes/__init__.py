"""From clauses to proposals: what is new, changed, done, dropped or forgotten."""
