"""What a person edits: the drawing, its table, its operations and their undo."""
