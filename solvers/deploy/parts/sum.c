/* Adds up what all roots answer. */
static void policy_sum(policy_state *state, policy_real *sums)
{
    uint32_t k;
    for (k = 0; k < POLICY_ROOTS; ++k) {
        policy_follow(state, policy_roots[k], sums);
        policy_say(state->said, sums);
    }
    if (POLICY_ROOTS > 1u) {
        policy_stop(state->said, POLICY_SUM);
    }
}
