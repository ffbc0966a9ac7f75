"""``python -m aoi_sim`` is the command ``aoi-sim``."""

from aoi_sim.cli import main

if __name__ == "__main__":
    main()
