"""The frontier page: what accuracy a budget can buy."""

QUESTION = "Frontier: what accuracy can this budget buy?"
