"""The figure language: what a page, a notebook and print show, each described once."""
