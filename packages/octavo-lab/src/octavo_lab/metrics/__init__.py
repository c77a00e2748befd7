"""The metrics, a module for each family; `table` says which value a report shows under which name."""
