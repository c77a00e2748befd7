"""Documents read into one model: outline, blocks, boxes and tables of PDF, office files, HTML and more."""
