// Documents (JSON, CSV, property lists) as stores of objects.
