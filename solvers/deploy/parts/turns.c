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

/* Moves bounds by those of a node. */
static void policy_move(policy_real *low, policy_real *high, uint32_t at,
                        policy_real sign)
{
    int k;
    for (k = 0; k < POLICY_SPANS; ++k) {
        low[k] += sign * policy_least[at * POLICY_SPANS + (uint32_t)k];
        high[k] += sign * policy_most[at * POLICY_SPANS + (uint32_t)k];
    }
}

/* Lets roots wait for one feature after the other, until bounds settle the label. */
static int policy_in_turns(policy_state *state, policy_real *sums)
{
    policy_index waits[POLICY_ROOTS];
    policy_real low[POLICY_SPANS] = {0};
    policy_real high[POLICY_SPANS] = {0};
    uint32_t turn, k;
    for (k = 0; k < POLICY_ROOTS; ++k) {
        waits[k] = policy_roots[k];
        policy_move(low, high, waits[k], 1);
    }
    for (turn = 0; turn < POLICY_TURNS; ++turn) {
        if (policy_is_between(low, high, sums)) {
            return 1;
        }
        for (k = 0; k < POLICY_ROOTS; ++k) {
            uint32_t at = waits[k];
            while (policy_turn[at] <= turn) {
                policy_real values[POLICY_ROOM_VALUES] = {0};
                const policy_node *node = &policy_nodes[at];
                const policy_real *number = policy_weigh(state, node, values);
                at = values[0] <= number[0] ? node->below : node->above;
            }
            if (at != waits[k]) {
                policy_move(low, high, waits[k], -1);
                policy_move(low, high, at, 1);
                waits[k] = (policy_index)at;
            }
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
