"""Names that look the same, in whichever signs; copied into what is exported."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["matched_names", "same_name"]


def same_name(name: str) -> str:
    """Return a name as all that look like it are compared: composed, and trimmed.

    Parameters
    ----------
    name : str
        Of a column, a feature or a price.

    Returns
    -------
    str

    Examples
    --------
    >>> same_name(" gro\u0308ße") == "größe"
    True
    """
    return unicodedata.normalize("NFC", name).strip().strip("\ufeff")


def matched_names(names: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return, of names that are not known, the known ones that look like them.

    Parameters
    ----------
    names : iterable of str
        As somebody gives them.
    known : iterable of str
        As they are called.

    Returns
    -------
    dict of str to str
        Only of names that one known name looks like.

    Examples
    --------
    >>> matched_names(["age ", "peak"], ["age", "mean"])
    {'age ': 'age'}
    """
    called = dict.fromkeys(known)
    others = [name for name in names if name not in called]
    if not others:  # mostly
        return {}
    like: dict[str, list[str]] = {}
    for one in called:
        like.setdefault(same_name(one), []).append(one)
    return {
        name: found[0]
        for name in others
        if len(found := like.get(same_name(name), [])) == 1
    }
