"""The functions that do a whole job in one call: they read what is given as files, set up the task and compute it."""
