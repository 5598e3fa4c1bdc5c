"""XMLBIF 0.3: variables with outcomes, and definitions with a table of numbers.

::

    <BIF VERSION="0.3"><NETWORK>
    <VARIABLE TYPE="nature"><NAME>rain</NAME>
      <OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    <DEFINITION><FOR>rain</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>
    </NETWORK></BIF>

Parents stand in GIVEN; the variable's own outcome changes fastest. No tree is built. A
document type, which the definition of the format prints in every file, is passed over;
entities, with which a small file can describe a huge one, are refused.

References
----------
Cozman, "The interchange format for Bayesian networks: XMLBIF version 0.3", 1998.
"""

from __future__ import annotations

from typing import Any, Never
from xml.parsers import expat

from ..errors import InterchangeError, shown
from .draft import MAX_PARENTS, MAX_STATES, NetworkDraft, numbers_in, shaped
from .network import BayesianNetwork

# Between two slices others have their turn; a tag that is in many is read as often.
SLICE = 2**20
MAX_DEPTH = 32
# Attributes that a document type gives to every element come with each of them anew.
MAX_ATTRIBUTES, MAX_DEFAULT = 100, 100
_PARTS = ("VARIABLE", "DEFINITION")
_WORDS = ("NAME", "OUTCOME", "FOR", "GIVEN", "TABLE")


def network_from_xmlbif(text: str) -> BayesianNetwork:
    """Return the network that an XMLBIF text describes."""
    reader = _Reader(len(text))
    parser = expat.ParserCreate("utf-8")
    parser.EntityDeclHandler = _refuse_entities
    parser.AttlistDeclHandler = reader.attribute
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.buffer_text = True
    try:
        for at in range(0, len(text), SLICE):
            parser.Parse(text[at : at + SLICE].encode(), False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise InterchangeError(
            f"The file is not XML, or only a part of it ({shown(str(error))}); export "
            "it again."
        ) from error
    except UnicodeEncodeError as error:
        raise InterchangeError(
            "The file holds half a character; save it as UTF-8."
        ) from error
    return reader.network()


def _refuse_entities(name: str, *_: Any) -> Never:
    raise InterchangeError(
        f"The file declares the XML entity {shown(name)}, and entities can fill a "
        "memory; remove what stands from <!DOCTYPE to its end."
    )


class _Reader:
    """What the parser has met so far."""

    def __init__(self, n_characters: int) -> None:
        self._draft = NetworkDraft(n_characters)
        self._path: list[str] = []
        self._part: dict[str, list[str]] = {}  # texts of the open part, by element
        self._text: list[str] = []
        self._definitions: list[dict[str, list[str]]] = []
        self._n_attributes = 0

    def attribute(
        self, element: str, name: str, _: str, default: Any, *__: Any
    ) -> None:
        """Pass over what a document type says of an attribute, unless it is much."""
        self._n_attributes += 1
        if self._n_attributes > MAX_ATTRIBUTES or len(default or "") > MAX_DEFAULT:
            raise InterchangeError(
                f"The document type gives {shown(element)} an attribute {shown(name)} "
                "with a long default, or more than a hundred attributes; remove what "
                "stands from <!DOCTYPE to its end."
            )

    def start(self, name: str, _: Any) -> None:
        """Open an element."""
        if not self._path and name != "BIF":
            raise InterchangeError(
                f"The file begins with the element {shown(name)}; XMLBIF begins with "
                "BIF."
            )
        if len(self._path) == MAX_DEPTH:
            raise InterchangeError(
                f"The file nests more than {MAX_DEPTH} levels deep; XMLBIF needs 4."
            )
        self._path.append(name)
        self._text = []
        if name in _PARTS:
            self._part = {word: [] for word in _WORDS}

    def characters(self, text: str) -> None:
        """Take the characters of an element that is read."""
        if len(self._path) == 4 and self._path[-1] in _WORDS:
            self._text.append(text)

    def end(self, name: str) -> None:
        """Close an element."""
        if self._is_word():
            self._part[name].append("".join(self._text))
            if len(self._part[name]) > MAX_STATES:
                raise InterchangeError(
                    f"A variable has more than {MAX_STATES:,} entries {name}; list "
                    "fewer."
                )
        elif self._path == ["BIF", "NETWORK", "VARIABLE"]:
            outcomes = [text.strip() for text in self._part["OUTCOME"]]
            self._draft.add_variable(self._only("NAME", self._part), outcomes)
        elif self._path == ["BIF", "NETWORK", "DEFINITION"]:
            self._definitions.append(self._part)
        self._path.pop()

    def network(self) -> BayesianNetwork:
        """Return the network of all that was met."""
        for part in self._definitions:
            self._add_table(part)
        return self._draft.network()

    def _is_word(self) -> bool:
        return (
            len(self._path) == 4
            and self._path[-1] in _WORDS
            and self._path[2] in _PARTS
        )

    def _add_table(self, part: dict[str, list[str]]) -> None:
        draft = self._draft
        name = draft.known(self._only("FOR", part))
        given = part["GIVEN"][: MAX_PARENTS + 1]
        parents = [draft.known(text.strip()) for text in given]
        shape = draft.shape(name, parents)
        numbers = numbers_in(self._only("TABLE", part), f"the table of {shown(name)}")
        draft.add_table(name, parents, shaped(numbers, shape, name))

    def _only(self, word: str, part: dict[str, list[str]]) -> str:
        texts = part[word]
        if len(texts) != 1 or not texts[0].strip():
            raise InterchangeError(
                f"A variable or definition has {len(texts)} entries {word} or an empty "
                "one; give it one with content."
            )
        return texts[0].strip()
