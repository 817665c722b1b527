"""The results of the last complete run as documents: written by `make bench`, checked by the tests."""
