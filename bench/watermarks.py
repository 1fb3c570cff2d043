#!/usr/bin/env python3
"""What watermarks cost from end to end: a statement with all of them against the same that emits the final frontier alone.

    make bench-watermarks               15 pairs of runs for each line
    PAIRS=5 make bench-watermarks       as many as that
    ONLY=file make bench-watermarks     only the lines that the pattern fits

Windows of 10 seconds are counted over Nexmark bids, in a file (5 million) and in a topic of four partitions of Tidemark's own broker in a
process of its own (1 million). With watermarks: an expression, an idle timeout and alignment, sent by the clock each 200 ms or with every
row. Against: the same expression, with a gap that is longer than the input, never idle, not aligned; all windows leave at the end. A replay
has no need of alignment, since it reads first what is furthest behind; so a third part reads the topic live, rows into windows without an
aggregate, up to as many rows. The two run in turn, and who is first changes; a ratio is the median over the pairs, of wall time, and of the processor time of the process that reads.
"""

import os
import re
import statistics
import sys

import kafka
from run import BINARY, bids, run, warm

PAIRS = int(os.environ.get("PAIRS") or 15)
COLUMNS = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP_LTZ(3), extra STRING"
JSON = "'json.timestamp-format.standard' = 'ISO-8601'"
TOPIC = f"CREATE TABLE bench_bids ({COLUMNS}, WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND) DISTRIBUTED INTO 4 BUCKETS WITH ('value.format' = 'json');\n"
FULL = "'scan.watermark.idle-timeout' = '30 s', 'scan.watermark.alignment.group' = 'bench', 'scan.watermark.alignment.max-drift' = '5 min'"
WAYS = {
    "periodic": f"{FULL}, 'scan.watermark.emit.strategy' = 'on-periodic'",
    "on event": f"{FULL}, 'scan.watermark.emit.strategy' = 'on-event', 'scan.watermark.emit.on-event.gap' = '1'",
}
FINAL = ("'scan.watermark.idle-timeout' = '0', "
         "'scan.watermark.emit.strategy' = 'on-event', 'scan.watermark.emit.on-event.gap' = '1000000000'")


def file_table(path):
    return (f"CREATE TABLE bench_bids ({COLUMNS}, WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND) "
            f"WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'json', {JSON});\n")


def replay(table, options):
    return (f"{table}CREATE TABLE counts (window_start TIMESTAMP(3), n BIGINT, highest BIGINT) WITH ('connector' = 'blackhole');\n"
            "INSERT INTO counts SELECT window_start, COUNT(*), MAX(price) "
            f"FROM TUMBLE(TABLE bench_bids /*+ OPTIONS({options}) */, DESCRIPTOR(dateTime), INTERVAL '10' SECOND) GROUP BY window_start, window_end;")


def live(table, options):
    """A statement without an end, but for its LIMIT."""
    return f"{table}SELECT window_start, price FROM TUMBLE(TABLE bench_bids /*+ OPTIONS({options}) */, DESCRIPTOR(dateTime), INTERVAL '10' SECOND) LIMIT 1000000;"


def measure(name, rows, argv, statement, table, more):
    for way, options in WAYS.items():
        if not re.search(os.environ.get("ONLY", ""), f"{name} {way}"):
            continue
        commands = [argv + ["-e", statement(table, o + more)] for o in (options, FINAL)]
        answers = {re.search(r"([0-9,]+) rows? out", run(c)["said"]).group(1) for c in commands}
        if len(answers) != 1:
            sys.exit(f"watermarks.py: {name}, {way}: the two answer {' and '.join(answers)} rows")
        pairs = []
        for turn in range(PAIRS):
            first = run(commands[turn % 2])
            second = run(commands[1 - turn % 2])
            pairs.append((second, first) if turn % 2 else (first, second))
        ratios = [f"{statistics.median(a[field] / b[field] for a, b in pairs):.3f}" for field in ("wall", "cpu")]
        seconds = [f"{statistics.median(p[k]['cpu'] for p in pairs):.2f}" for k in (0, 1)]
        kafka.line([name, way, f"{rows // 1_000_000} M", *seconds, *ratios])


def main():
    kafka.line(["input", "watermarks", "rows", "CPU s", "CPU s, final alone", "ratio, wall", "ratio, CPU"])
    kafka.line(["---"] * 2 + ["---:"] * 5)
    large, small = bids(5_000_000, 1_000), bids(1_000_000, 1_000)
    warm(large)
    measure("file", 5_000_000, [BINARY, "run", "--parallelism", "1"], replay, file_table(large), "")
    process, address = kafka.own()
    try:
        argv = [BINARY, "run", "--brokers", address, "--parallelism", "1", "--output", "csv"]
        source = file_table(small).replace("bench_bids", "made")
        run(argv + ["-e", f"{TOPIC}{source}INSERT INTO bench_bids SELECT * FROM made;"])
        measure("topic", 1_000_000, argv, replay, TOPIC, ", 'scan.bounded.mode' = 'latest-offset'")
        measure("topic, live", 1_000_000, argv, live, TOPIC, ", 'scan.startup.mode' = 'earliest-offset'")
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
