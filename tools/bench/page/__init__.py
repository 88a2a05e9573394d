"""What a page that several look at costs the controller (`make bench-page`).

- `table.py`: one table, a real controller in real time, and its viewers
- `edges.py`: whether every edge of the wheel was taken
- `load.py`, `viewer.py`, `client.py`: viewers over HTTPS (`python -m tools.bench.page.load`)
- `rows.py`: what was measured, as a table with what is promised
"""
