"""The structured-costs page: what mistakes on linked things cost."""
