/* Whether a cell without the blanks around it is a word. */
static int example_is(const char *cell, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(cell, word, n);
}

/* The place of a word in the list of a feature; -1 where it is none of them. */
static int example_place(const example_feature *feature, const char *cell, size_t n)
{
    int k;
    for (k = 0; k < feature->n_words; ++k) {
        if (example_is(cell, n, example_words[feature->first_word + k])) {
            return k;
        }
    }
    return -1;
}

static uint32_t example_checksum(const char *cell, size_t n)
{
    uint32_t crc = 0xFFFFFFFFu;
    size_t k;
    int bit;
    for (k = 0; k < n; ++k) {
        crc ^= (unsigned char)cell[k];
        for (bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ (crc & 1u ? 0xEDB88320u : 0u);
        }
    }
    return ~crc;
}

/* What a cell of a table is to the policy: a number, or the code of a word; NAN for a
   gap. Whoever trained with 0 and 1 may be given no and yes as False and True. */
static policy_real example_value(int place, const char *cell)
{
    static const char *const twins[2][4] = {
        {"0", "False", "FALSE", "false"}, {"1", "True", "TRUE", "true"}};
    const example_feature *feature = &example_features[place];
    size_t n, k, j;
    int found;
    if (feature->form >= 0) {
        return (policy_real)values_read(cell, &values_forms[feature->form]);
    }
    while (*cell && strchr(" \t\r", *cell)) {
        ++cell;
    }
    n = strlen(cell);
    while (n > 0 && strchr(" \t\r", cell[n - 1])) {
        --n;
    }
    found = feature->is_hashed ? -1 : example_place(feature, cell, n);
    for (k = 0; found < 0 && k < sizeof example_gaps / sizeof *example_gaps; ++k) {
        if (example_is(cell, n, example_gaps[k])) {
            return NAN;
        }
    }
    if (feature->is_hashed) {
        return (policy_real)(example_checksum(cell, n) % (uint32_t)feature->n_words);
    }
    for (k = 0; found < 0 && k < 8; ++k) {
        const char *const *alike = twins[k / 4];
        for (j = 0; found < 0 && j < 4 && example_is(cell, n, alike[k % 4]); ++j) {
            found = example_place(feature, alike[j], strlen(alike[j]));
        }
    }
    return (policy_real)(found < 0 ? feature->n_words : found);
}

/* Reads a row of words that are parted by tabs; 0 at the end of the input. */
static int example_read(example_sample *sample)
{
    static char line[1 << 16];
    char *cell = line, *end;
    int k;
    if (!fgets(line, sizeof line, stdin)) {
        return 0;
    }
    line[strcspn(line, "\n")] = '\0';
    for (k = 0; k < POLICY_FEATURES; ++k) {
        end = cell + strcspn(cell, "\t");
        if (*end) {
            *end++ = '\0';
        }
        sample->row[k] = example_value(k, cell);
        cell = end;
    }
    return 1;
}
