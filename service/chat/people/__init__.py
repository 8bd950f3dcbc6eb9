"""People and groups: who may what, what they have chosen, who comes and goes."""
