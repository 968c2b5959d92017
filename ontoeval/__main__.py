"""`python -m ontoeval`: the same as the command `ontoeval`."""

from ontoeval.cli import main

main(prog_name="ontoeval")
