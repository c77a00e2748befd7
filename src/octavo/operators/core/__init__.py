"""What an operator is, what a run of operators has, how operators compose, and how a printed plan is read back."""
