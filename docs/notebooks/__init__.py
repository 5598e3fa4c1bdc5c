"""Teaching notebooks, kept as scripts in percent format."""
