"""`python -m tools.bench.cards` (`make bench-cards`): see command.py."""

from tools.bench.cards.command import main

if __name__ == "__main__":
    main()
