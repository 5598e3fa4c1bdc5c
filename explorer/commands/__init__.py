"""The command ``thriftscope`` and its parts."""
