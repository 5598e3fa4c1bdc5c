"""A script, run as a person runs it."""

import contextlib
import io


def run(text):
    """What a script finds and prints, in an empty namespace."""
    found, told = {}, io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(text, "script.py", "exec"), found)
    return found, told.getvalue()
