"""The details in a clause: times by role, days, labels, and where a move puts a thing."""
