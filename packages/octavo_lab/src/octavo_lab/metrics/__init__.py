"""The metrics, a module for each family; `registry` says which there are and what each is called."""
