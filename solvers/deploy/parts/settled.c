/* Tells whether the roots to come cannot change the label; then leaves of each class but
   the first the most that it may still reach. */
static int policy_is_settled(policy_real *sums, const policy_real *rest)
{
    const int winner = policy_largest(sums, POLICY_SUMS);
    int k;
    for (k = 0; k < POLICY_SUMS; ++k) {
        if (k != winner && !(sums[winner] > sums[k] - rest[winner * POLICY_SUMS + k])) {
            return 0;
        }
    }
    for (k = 0; k < POLICY_SUMS; ++k) {
        sums[k] -= k != winner ? rest[winner * POLICY_SUMS + k] : 0;
    }
    return 1;
}

static void policy_say_sums(policy_decision *said, const policy_real *sums)
{
    const policy_real lead = sums[POLICY_SUMS - 1] - sums[0];
    policy_say(said, POLICY_SUMS > POLICY_OUTPUTS ? &lead : sums);
    (void)said;
    (void)lead;
}

/* Adds up what roots answer, until nothing can change the label. */
static void policy_sum(policy_state *state, policy_real *sums)
{
    uint32_t k;
    policy_stop(state->said, POLICY_SUM);
    for (k = 0; k < POLICY_ROOTS; ++k) {
        policy_follow(state, policy_roots[k], sums);
        policy_say_sums(state->said, sums);
        if (k < POLICY_RESTS
            && policy_is_settled(sums, &policy_rests[k * POLICY_SUMS * POLICY_SUMS])) {
            policy_stop(state->said, POLICY_SETTLED);
            return;
        }
    }
}
