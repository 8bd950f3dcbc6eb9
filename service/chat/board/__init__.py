"""What chats show of a table, and how it is kept up to date."""
