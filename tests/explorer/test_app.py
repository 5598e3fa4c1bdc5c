"""What the app makes for whoever opens it."""

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from explorer.app import open_session

# 460 here, and a few more where a message stands; what is added to the opening page is
# paid for by everybody who opens it.
MOST_MODELS = 480


@pytest.fixture
def opened():
    """The models of a page as a browser is sent them, and the session behind it."""
    document = Document()
    with set_curdoc(document):
        explorer = open_session()
        explorer.page.server_doc(document)
        yield list(document.models), explorer
    explorer.close()


def test_the_opening_page_is_made_of_few_models(opened):
    models, _ = opened
    assert len(models) <= MOST_MODELS


def test_only_the_opened_page_is_built(opened):
    _, explorer = opened
    assert list(explorer._parts) == ["frontier"]
