"""Rule tests: every test cites the rules of docs/rules.md that it checks."""
