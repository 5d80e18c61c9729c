"""/train (R15.3): right plays in a row, weak spots, the cells of a chart, and counting cards."""
