"""A campaign: thousands of scenarios drawn from one seed, played anywhere, told in one report."""
