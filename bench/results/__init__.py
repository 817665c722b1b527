"""What the last whole run found, as documents: written by `make bench`, checked fresh by the tests."""
