"""The cascade page: when a prediction is sure enough to stop."""
