"""What builds the dictionaries; none of it is needed where they are used."""
