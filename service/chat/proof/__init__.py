"""What can be checked: deals, histories, accusations."""
