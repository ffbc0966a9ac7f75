"""Speed in units of a fixed workload, so that machines can be compared. No timing decides a test."""
