"""The benchmark: Tabwright and its peers in one run, on the same pages with the same browser."""
