"""What runs say: small functions from lazy frames to tidy frames, with intervals that respect the set-up blocks."""
