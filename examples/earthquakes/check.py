#!/usr/bin/env python3
"""Computes what hourly.sql must answer, without the engine.

    python3 examples/earthquakes/check.py [HOURS]

HOURS is the watermark's delay, 24 unless given (hourly.sql); 168 is patient.sql. The windows go to standard output
as CSV in order of window_start and net; the counts of rows go to standard error. Nothing here shares code with the
engine: when both agree, both are likely right.
"""

import csv
import json
import pathlib
import sys
from datetime import datetime, timedelta, timezone

QUAKES = pathlib.Path(__file__).with_name("quakes.jsonl")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
HOUR = 3_600_000  # all times below are milliseconds since the epoch


def millis(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(milliseconds=1)


def stamp(at):
    return (EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S.") + f"{at % 1000:03d}"


def replay(rows, delay):
    """Returns (windows, late, dropped) where windows maps (start, net) to [count, strongest or None]."""
    windows, late, dropped = {}, 0, 0
    # Every row still to come is promised to be at or after the frontier: one millisecond above Flink's watermark.
    frontier = None
    for row in rows:
        at = millis(row["time"])
        start = at - at % HOUR
        if frontier is not None and at < frontier:
            late += 1
        if frontier is not None and start + HOUR <= frontier:
            dropped += 1
        else:
            window = windows.setdefault((start, row["net"]), [0, None])
            window[0] += 1
            if row["mag"] is not None and (window[1] is None or row["mag"] > window[1]):
                window[1] = row["mag"]
        # The row is judged by the rows before it and only then moves the frontier itself.
        promised = at - delay + 1
        frontier = promised if frontier is None else max(frontier, promised)
    return windows, late, dropped


def main(argv):
    if len(argv) > 2 or (len(argv) == 2 and not argv[1].isdigit()):
        sys.exit("usage: check.py [HOURS]   (whole hours of delay, 24 unless given)")
    hours = int(argv[1]) if len(argv) == 2 else 24
    with QUAKES.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    windows, late, dropped = replay(rows, hours * HOUR)

    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["window_start", "window_end", "net", "quakes", "strongest"])
    for (start, net), (count, strongest) in sorted(windows.items()):
        out.writerow([stamp(start), stamp(start + HOUR), net, count, "" if strongest is None else strongest])
    print(
        f"delay {hours} h: rows {len(rows)}, windows {len(windows)}, late at the source {late}, "
        f"dropped {dropped}, counted {len(rows) - dropped}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main(sys.argv)
