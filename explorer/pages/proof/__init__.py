"""The proof page: how good any linear model could be for the money."""
