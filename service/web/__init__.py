"""What is reachable from outside by HTTP."""
