"""``python -m aoi_sim`` is the command ``aoi-sim``."""

import sys

if __name__ == "__main__":
    try:
        from aoi_sim.cli import main
    except KeyboardInterrupt:
        print("error: interrupted, aoi-sim, run it again", file=sys.stderr)
        sys.exit(130)
    main()
