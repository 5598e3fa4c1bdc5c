"""The cascade page, asked and trained."""

from explorer.pages.cascade.training import train_cascade


def train(state):
    request = state.request("tefe")
    if request is not None:
        state.take(list(train_cascade(request))[-1])
    return state
