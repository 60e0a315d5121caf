"""The readers of before; agents/mind has taken their place."""
