"""An image is the same each time."""

from solvers.datasets.makers.scenes import scene_image


def test_an_image_is_the_same_each_time():
    assert scene_image("bus", 5).tolist() == scene_image("bus", 5).tolist()
    assert scene_image("bus", 5).tolist() != scene_image("bus", 6).tolist()
    assert scene_image("bus", 5).shape == (64, 96, 3)
