"""What tests of recollect and of its extensions use: doubles, builders and contract suites."""
