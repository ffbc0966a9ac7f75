"""A fixed pure-Python workload: the unit in which speeds are compared across machines (seconds of CPU time, best of 7)."""

import time


def work() -> int:
    masks = [(1 << (i % 113)) | (i * 2654435761 % (1 << 113)) for i in range(64)]
    res = [0] * 16
    table = {i: (i * 7) % 16 for i in range(64)}
    acc = 0
    for n in range(120_000):
        m = masks[n & 63]
        k = table[n & 63]
        if m & (1 << k):
            res[k] += 1
        else:
            res[k ^ 1] -= 1
        acc ^= m >> (n & 31)
        acc &= (1 << 113) - 1
        t = (k, n & 7, res[k])
        acc += t[0] + t[2]
    return acc


def unit(repeats: int = 7) -> float:
    best = 1e9
    for _ in range(repeats):
        t = time.process_time()
        work()
        best = min(best, time.process_time() - t)
    return best


if __name__ == "__main__":
    print(f"{unit():.5f}")
