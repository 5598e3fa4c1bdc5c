"""The lessons page: one idea at a time, predicted before it is revealed."""
