/* Makes of scores minus what each answer is expected to cost; of two classes by how much
   the second is cheaper. */
static void policy_price(policy_real *score)
{
    policy_real chances[POLICY_CLASSES] = {0}, paid[POLICY_CLASSES];
    int k;
    for (k = 0; k < POLICY_OUTPUTS; ++k) {
        chances[POLICY_CLASSES - POLICY_OUTPUTS + k] = score[k];
    }
    for (k = 0; k < POLICY_CLASSES; ++k) {
        chances[k] = POLICY_SLOPE * chances[k] + policy_offsets[k];
    }
    policy_normalise(chances, POLICY_CLASSES);
    for (k = 0; k < POLICY_CLASSES; ++k) {
        chances[k] = POLICY_EXP(chances[k]);
    }
    policy_expect(chances, paid);
    for (k = 0; k < POLICY_OUTPUTS; ++k) {
        score[k] = POLICY_OUTPUTS == 1 ? paid[0] - paid[POLICY_CLASSES - 1] : -paid[k];
    }
}

