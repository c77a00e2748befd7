"""Where words stand in indexed documents: cited ones found again, words on pages, quotes looked for."""
