"""Words to clauses: what each asks for, and which words fill which slot, as a trained encoder scores them."""
