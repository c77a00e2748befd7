"""The planner of `auto`: kinds of questions, and the plan for each."""
