"""XMLBIF is read as it streams; document types are passed over, entities refused."""

import numpy as np
import pytest

from solvers.bayes.readers import read_network_text
from solvers.errors import InterchangeError
from tests.bayes.small_files import XMLBIF
from tests.each import each

# As the definition of the format prints it.
TYPE = """<!DOCTYPE BIF [
<!ELEMENT BIF ( NETWORK )*>
<!ATTLIST BIF VERSION CDATA #REQUIRED>
<!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
<!-- entries are separated by spaces -->
]>"""


def test_a_document_type_changes_nothing():
    head, _, rest = XMLBIF.partition("\n")
    read = read_network_text(f"{head}\n{TYPE}\n{rest}", "xmlbif")
    plain = read_network_text(XMLBIF, "xmlbif")
    assert read.states == plain.states
    for name, table in plain.tables.items():
        assert np.array_equal(read.tables[name], table)


@each("entity", ['a "aaaa"', '% a "aaaa"', 'a SYSTEM "file:///dev/zero"'])
def test_xml_entities_are_refused(entity):
    bomb = f"<!DOCTYPE b [<!ENTITY {entity}>]>" + XMLBIF.partition("\n")[2]
    with pytest.raises(InterchangeError, match="declares the XML entity 'a'"):
        read_network_text(bomb, "xmlbif")
