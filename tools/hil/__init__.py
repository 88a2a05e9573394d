"""Rigs and campaigns: scenarios with faults on purpose, run in four places, judged alike."""
