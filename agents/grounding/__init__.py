"""A language model's words held against the user's own and the ledger: nothing else causes or claims a change."""
