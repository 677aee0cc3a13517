// A value as text: the same for list, detail and print.
