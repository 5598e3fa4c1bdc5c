/* Tells whether bounds settle the label; then leaves what classes reach, of two classes
   the lead of the second. */
static int policy_is_between(const policy_real *low, const policy_real *high,
                             policy_real *sums)
{
    const int winner = policy_largest(low, POLICY_SPANS);
    int k;
    if (POLICY_SPANS == 1) {
        sums[0] = 0;
        sums[POLICY_SUMS - 1] = low[0] > POLICY_SLACK ? low[0] : high[0];
        return low[0] > POLICY_SLACK || high[0] < -POLICY_SLACK;
    }
    for (k = 0; k < POLICY_SPANS; ++k) {
        if (k != winner && !(low[winner] - high[k] > POLICY_SLACK)) {
            return 0;
        }
        sums[k] = k == winner ? low[k] : high[k];
    }
    return 1;
}

/* Moves bounds from those of one node to those of another. */
static void policy_move(policy_real *low, policy_real *high, uint32_t from, uint32_t to)
{
    uint32_t k;
    from *= POLICY_SPANS;
    to *= POLICY_SPANS;
    for (k = 0; k < POLICY_SPANS; ++k) {
        low[k] += policy_least[to + k] - policy_least[from + k];
        high[k] += policy_most[to + k] - policy_most[from + k];
    }
}

/* Where a question leads. */
static uint32_t policy_next(policy_state *state, const policy_node *node)
{
    policy_real values[POLICY_ROOM_VALUES];
    const policy_real *number;
    if (node->rule >= POLICY_ASK) {
        return policy_ask(state, node);
    }
    number = policy_weigh(state, node, values);
    return values[0] <= number[0] ? node->below : node->above;
}

/* Lets roots wait for one feature after the other, until bounds settle the label. */
static int policy_in_turns(policy_state *state, policy_real *sums)
{
    policy_index at[POLICY_ROOTS], next[POLICY_ROOTS], first[POLICY_TURNS + 1u];
    policy_real low[POLICY_SPANS] = {0};
    policy_real high[POLICY_SPANS] = {0};
    uint32_t turn, root, following, k;
    for (turn = 0; turn <= POLICY_TURNS; ++turn) {
        first[turn] = POLICY_ROOTS; /* nobody waits */
    }
    for (root = 0; root < POLICY_ROOTS; ++root) {
        const uint32_t begin = policy_roots[root];
        for (k = 0; k < POLICY_SPANS; ++k) {
            low[k] += policy_least[begin * POLICY_SPANS + k];
            high[k] += policy_most[begin * POLICY_SPANS + k];
        }
        at[root] = (policy_index)begin;
        next[root] = first[policy_turn[begin]];
        first[policy_turn[begin]] = (policy_index)root;
    }
    for (turn = 0; turn < POLICY_TURNS; ++turn) {
        if (policy_is_between(low, high, sums)) {
            return 1;
        }
        for (root = first[turn]; root < POLICY_ROOTS; root = following) {
            uint32_t to = at[root];
            while (policy_turn[to] <= turn) {
                to = policy_next(state, &policy_nodes[to]);
            }
            policy_move(low, high, at[root], to);
            at[root] = (policy_index)to;
            following = next[root];
            next[root] = first[policy_turn[to]];
            first[policy_turn[to]] = (policy_index)root;
        }
    }
    return policy_is_between(low, high, sums);
}

/* Adds up what all roots answer where bounds did not settle the label. */
static void policy_sum(policy_state *state, policy_real *sums)
{
    uint32_t k;
    if (policy_in_turns(state, sums)) {
        policy_stop(state->said, POLICY_SETTLED);
        return;
    }
    for (k = 0; k < POLICY_SUMS; ++k) {
        sums[k] = 0;
    }
    for (k = 0; k < POLICY_ROOTS; ++k) {
        policy_follow(state, policy_roots[k], sums);
    }
    policy_stop(state->said, POLICY_SUM);
}
