"""What can be told of any text by its words alone: terms, sentences, values, names, titles, what things are called."""
