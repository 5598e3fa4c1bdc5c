"""What a person chooses is undone; what is opened to be looked at is not."""

from tests.explorer.worlds import World


def test_a_choice_is_a_step_and_its_undoing_leaves_panels_open():
    world = World()
    world.frontier.unfolded = ["points"]
    assert world.undo_stack.undoes == ""
    before, world.frontier.alpha = world.frontier.alpha, 0.5
    world.frontier.unfolded = ["points", "settings"]
    assert world.undo_stack.undoes == "Trade-off λ"
    world.undo_stack.undo()
    assert world.frontier.alpha == before
    assert world.frontier.unfolded == ["points", "settings"]


def test_a_panel_that_opens_with_a_choice_does_not_name_the_step():
    world = World()
    world.frontier.param.update(unfolded=["points"], alpha=0.5)
    assert world.undo_stack.undoes == "Trade-off λ"
