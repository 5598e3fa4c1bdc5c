"""Controls, tables, messages, progress and theme: what every page is built of."""
