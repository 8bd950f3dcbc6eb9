"""The programs that run until they are told to stop: one that receives, and workers that share the tables."""
