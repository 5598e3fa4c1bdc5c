"""XMLBIF is read as it streams, and a document type is refused."""

import pytest

from solvers.bayes.readers import read_network_text
from solvers.errors import InterchangeError
from tests.bayes.small_files import XMLBIF


def test_xml_entities_are_refused():
    bomb = '<!DOCTYPE b [<!ENTITY a "aaaa">]>' + XMLBIF
    with pytest.raises(InterchangeError, match="declares a document type"):
        read_network_text(bomb, "xmlbif")
