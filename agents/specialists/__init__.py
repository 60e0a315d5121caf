"""The agents that work side by side, each on one kind of a user's things, and the cycle that they share."""
