#!/usr/bin/env python3
"""Measures DuckDB on a file of Nexmark bids, as the peer that our own figures stand beside.

    "$(bench/setup.sh)" bench/peer.py bids.jsonl [tumble] [hop] [filter]

Prints one JSON object per query: rows, wall_seconds, cpu_seconds, rows_per_second (of wall time), peak_bytes (of the
whole process) and answer. Each query runs in a process of its own, so that peaks do not mix, on one thread, with
columns declared, and folds its result into one row: neither fetching nor printing is measured. Reading the file once
to count its rows also warms the page cache.

answer lets two engines be compared before their speeds are: for the windows, how many there are and the sum of their
counts; for the filter, how many rows pass and the sums of the three columns.
"""

import json
import resource
import subprocess
import sys
import time

BIDS = """
  FROM read_json(?, format = 'newline_delimited', columns = {
    auction: 'BIGINT', bidder: 'BIGINT', price: 'BIGINT', channel: 'VARCHAR', url: 'VARCHAR',
    "dateTime": 'TIMESTAMP', extra: 'VARCHAR'})
"""

QUERIES = {
    # COUNT(*) per bidder in tumbling windows of 10 seconds.
    "tumble": f"""
        SELECT count(*), sum(n) FROM (
          SELECT time_bucket(INTERVAL '10 seconds', "dateTime") AS window_start, bidder, count(*) AS n
          {BIDS}
          GROUP BY window_start, bidder)""",
    # The same in windows of 10 seconds that start every 2: each row is in five of them.
    "hop": f"""
        SELECT count(*), sum(n) FROM (
          SELECT slice - step * INTERVAL '2 seconds' AS window_start, bidder, count(*) AS n
          FROM (SELECT time_bucket(INTERVAL '2 seconds', "dateTime") AS slice, bidder {BIDS})
          CROSS JOIN generate_series(0, 4) AS steps(step)
          GROUP BY window_start, bidder)""",
    # Three columns of the one row in four that has a price of seven digits or more.
    "filter": f"""
        SELECT count(*), sum(auction), sum(bidder), sum(price) FROM (
          SELECT auction, bidder, price {BIDS} WHERE price >= 1000000)""",
}


def peak_bytes():
    """The most memory this process has held. The kernel's own mark: getrusage starts from the parent's."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(query, path, rows):
    import duckdb

    peer = duckdb.connect(config={"threads": 1})
    cpu, wall = cpu_seconds(), time.perf_counter()
    answer = peer.execute(QUERIES[query], [path]).fetchone()
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    return {
        "engine": f"duckdb {duckdb.__version__}",
        "query": query,
        "rows": rows,
        "wall_seconds": round(wall, 4),
        "cpu_seconds": round(cpu, 4),
        "rows_per_second": round(rows / wall),
        "peak_bytes": peak_bytes(),
        "answer": [int(value or 0) for value in answer],
    }


def count_lines(path):
    with open(path, "rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def main(argv):
    if len(argv) == 4 and argv[0] == "--measure":
        _, query, path, rows = argv
        print(json.dumps(measure(query, path, int(rows))))
        return
    if not argv or any(query not in QUERIES for query in argv[1:]):
        sys.exit(f"usage: peer.py FILE [QUERY]...   queries: {', '.join(QUERIES)}")
    path, queries = argv[0], argv[1:] or list(QUERIES)
    try:
        rows = count_lines(path)
    except OSError as err:
        sys.exit(f"peer.py: {err}")
    for query in queries:
        subprocess.run([sys.executable, __file__, "--measure", query, path, str(rows)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
