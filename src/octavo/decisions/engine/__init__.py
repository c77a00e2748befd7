"""How a decision is taken: the model is asked through the gateway and its reply read, else the rule decides."""
