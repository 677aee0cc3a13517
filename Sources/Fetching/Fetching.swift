// Filled in by the module's own files.
