"""Brackets, blocks and zeros save what the lesson counts."""

from explorer.pages.lessons.course import speedup


def test_brackets_save_all_and_blocks_nothing_where_there_is_one_block():
    published, bracketed, by_block, *_ = speedup.products(speedup.ASKED)
    assert speedup.shapes(speedup.ASKED).n_blocks == 1
    assert by_block == published
    assert published / bracketed > speedup.N_FEATURES


def test_blocks_save_more_than_brackets_where_they_are_tiny():
    _, bracketed, by_block, *_ = speedup.products(0)
    assert by_block < bracketed


def test_a_sparse_matrix_needs_the_fewest_products_at_every_degree_of_sharing():
    for at in range(len(speedup.PSIS)):
        *dense, sparse = speedup.products(at)
        assert sparse < min(dense)
