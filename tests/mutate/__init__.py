"""Do the rule tests notice a change? `python -m tests.mutate` changes the game, one place at a time, and runs them.

`data_numbers` finds every number of the rules data, `listed` reads the engine lines of `tests/mutations.toml`,
`runner` runs the rule tests on a changed copy of the project.
"""
