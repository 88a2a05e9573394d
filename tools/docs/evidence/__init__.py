"""Which rule is shown by which test or scenario, and with what result: `make evidence`."""
