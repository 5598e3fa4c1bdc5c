/* Decides about rows of numbers from the standard input, in the order of
   the names of the features, and prints for each the label, the score, what was computed,
   the cost, and how often each component was called; with POLICY_TRACE also the bill.POLICY_HOW */
#include <stdio.h>
#include <string.h>

#include "policy.h"

typedef struct {
    policy_real row[POLICY_ROOM_FEATURES];
} example_sample;

POLICY_CALLBACKS
POLICY_WORDS
int main(int argc, char **argv)
{
    const int in_words = argc > 1 && !strcmp(argv[1], "--words");
    for (;;) {
        example_sample sample = {{0}};
        unsigned calls[POLICY_ROOM_COMPONENTS] = {0};
        policy_decision said;
        int k;
        if (in_words && !example_read(&sample)) {
            return 0;
        }
        for (k = 0; k < POLICY_FEATURES && !in_words; ++k) {
            double value;
            if (scanf("%lf", &value) != 1) {
                return 0;
            }
            sample.row[k] = (policy_real)value;
        }
        said = policy_decide(&sample, calls);
        if (said.error != POLICY_OK) {
            fprintf(stderr, "%s is not a finite number.\n",
                    policy_feature_names[said.odd_feature]);
        }
        if (said.impossible) {
            fprintf(stderr, "What was asked for cannot occur: the network gives it no "
                            "chance at all. The answer is that of nothing known.\n");
        }
        printf("%d", said.label);
        for (k = 0; k < POLICY_OUTPUTS; ++k) {
            printf(" %.17g", (double)said.score[k]);
        }
        printf(" %.17g", (double)said.cost);
        for (k = 0; k < POLICY_FEATURES; ++k) {
            printf(" %u", (unsigned)((said.features[k / 32] >> (k % 32)) & 1u));
        }
        for (k = 0; k < POLICY_COMPONENTS; ++k) {
            printf(" %u", calls[k]);
        }
        printf("\n");
#ifdef POLICY_TRACE
        for (k = 0; k < (int)said.lines; ++k) {
            const policy_line *line = &said.bill[k];
            int part;
            fprintf(stderr, "%u %.17g %.17g", (unsigned)line->feature,
                    (double)line->added, (double)line->score[0]);
            for (part = 0; part < POLICY_COMPONENTS; ++part) {
                if ((line->already_paid[part / 32] >> (part % 32)) & 1u) {
                    fprintf(stderr, " %d", part);
                }
            }
            fprintf(stderr, "\n");
        }
        fprintf(stderr, "%d\n", (int)said.why);
#endif
        if (POLICY_FEATURES == 0) {
            return 0; /* the same for every row */
        }
    }
}
