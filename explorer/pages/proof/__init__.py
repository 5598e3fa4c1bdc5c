"""The proof page: how good any linear model could be for the money."""

QUESTION = "Proof: could anything do better for this money?"
