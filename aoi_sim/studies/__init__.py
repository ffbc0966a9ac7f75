"""Questions that play games, look at them and play again."""
