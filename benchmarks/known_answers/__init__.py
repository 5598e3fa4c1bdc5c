"""Problems on which others have published numbers, and ours beside theirs."""
