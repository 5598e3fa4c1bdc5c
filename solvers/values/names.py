"""Names that look the same, in whichever signs; copied into what is exported."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def same_name(name: str) -> str:
    """Return a name as all that look like it are compared.

    Composed, trimmed, and without marks that are not seen, such as those of direction.

    Parameters
    ----------
    name : str
        Of a column, a feature or a price.

    Returns
    -------
    str

    Examples
    --------
    >>> same_name(" gro\u0308ße") == "größe", same_name("\u200epeak\u200b")
    (True, 'peak')
    """
    if name.isascii():  # mostly: it is composed, and all of its marks are seen
        return name.strip()
    unseen = str.maketrans("", "", "\xad\u200b\u200e\u200f\u2060\ufeff")
    return unicodedata.normalize("NFC", name).translate(unseen).strip()


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
    together = "".join([*others, *called])
    if not others or (together.isascii() and together.split() == [together]):
        return {}  # mostly: without blanks and other marks each is its own like alone
    like: dict[str, list[str]] = {}
    for one in called:
        like.setdefault(same_name(one), []).append(one)
    return {
        name: found[0]
        for name in others
        if len(found := like.get(same_name(name), [])) == 1
    }
