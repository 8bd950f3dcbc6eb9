"""The commands of `tabletalk`, by what they are for."""
