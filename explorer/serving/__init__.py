"""How the app is served: the server, its headers, its limits, and a window of its own.

Knows nothing of the app but the file that builds it.
"""
