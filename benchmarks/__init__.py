"""Side-by-side comparisons, each with its committed result and the machine."""
