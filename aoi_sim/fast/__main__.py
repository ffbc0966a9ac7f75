"""``python -m aoi_sim.fast build`` and ``clean``: what `make build-fast` runs."""

import sys
import time

from aoi_sim.fast.build import BuildError, build, clean


def main(arguments: list[str]) -> int:
    """Do what is asked; returns the exit status."""
    if arguments == ["clean"]:
        print(f"removed {clean()} files")
        return 0
    if arguments != ["build"]:
        print("error: one word needed, python -m aoi_sim.fast, build or clean", file=sys.stderr)
        return 2
    print("Compiling the engine and the scripted players, this takes a minute or two", flush=True)
    started = time.perf_counter()
    try:
        n = build()
    except BuildError as error:
        if error.log:
            print(error.log, file=sys.stderr)
        print(f"error: {error}", file=sys.stderr)
        return 1 if error.log else 2
    print(f"compiled {n} modules in {time.perf_counter() - started:.0f} s; make clean-fast removes them")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
