"""The benchmarks: `python -m bench NAME` prints one line of JSON."""
