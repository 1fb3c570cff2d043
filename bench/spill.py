#!/usr/bin/env python3
"""State larger than memory: rows of random keys, with and without a limit.

    make bench-spill                          10 million keys, 22 million rows, 256 MB for state
    KEYS=1000000 LIMIT=32MB make bench-spill  a short one

Keys are drawn alike, and all are alive until the input ends, so that few are in memory when a row of them comes. Then all sessions end. Needs Linux. Without a limit there has to be
enough memory, 250 bytes a key; SKIP=1 leaves that run out, and ONLY=groups all other queries.
"""

import os
import re

from run import BINARY, run

KEYS = int(os.environ.get("KEYS", 10_000_000))
LIMIT = os.environ.get("LIMIT", "256MB")
ROWS = KEYS * 11 // 5
DRAWN = KEYS * 6 // 5  # of so many, so many rows take about KEYS
QUERIES = {
    "sessions": "SELECT k, COUNT(*) AS c, SUM(v) AS s FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' HOUR) GROUP BY k, window_start, window_end",
    "windows": "SELECT k, COUNT(*) AS c, SUM(v) AS s FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' HOUR) GROUP BY k, window_start, window_end",
    "groups": "SELECT k, COUNT(*) AS c, SUM(v) AS s FROM t GROUP BY k",
}


def script(query):
    return f"""
CREATE TABLE t (n BIGINT, k BIGINT, v AS MOD(n, 1000), ts AS TO_TIMESTAMP_LTZ(n / 1000, 0), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen',
  'number-of-rows' = '{ROWS}', 'rows-per-second' = '1000000000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '{ROWS - 1}',
  'fields.k.min' = '0', 'fields.k.max' = '{DRAWN - 1}');
CREATE TABLE o (k BIGINT, c BIGINT, s BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO o {query};"""


def main():
    print(f"{KEYS:,} keys, {ROWS:,} rows")
    print(f"{'':10} {'limit':>8} {'rows/s':>10} {'wall s':>8} {'CPU s':>8} {'peak MB':>8}")
    for name, query in QUERIES.items():
        if os.environ.get("ONLY", name) != name:
            continue
        out = set()
        for limit in [LIMIT] if os.environ.get("SKIP") else ["0", LIMIT]:
            r = run([BINARY, "run", "--state-memory", limit, "-e", script(query)], pinned=False)
            out.add(re.search(r"([0-9,]+) rows? out", r["said"]).group(1))
            print(f"{name:10} {limit:>8} {ROWS / r['wall']:10,.0f} {r['wall']:8.1f} {r['cpu']:8.1f} {r['peak'] / 1e6:8.0f}", flush=True)
        if len(out) > 1:
            raise SystemExit(f"spill.py: {name} gives {' and '.join(out)} rows")


main()
