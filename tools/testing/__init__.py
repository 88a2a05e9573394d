"""How the tests are played: what they want of the machine, which run when, at what size."""
