#!/usr/bin/env python3
"""What it costs to read topics: Kafka to blackhole, with the broker on the same machine.

    make bench-kafka                1 million rows for each line
    ROWS=200000 make bench-kafka    as many as that
    ONLY=raw make bench-kafka       only the lines whose topic, broker and partitions the pattern fits

There are two brokers, Apache Kafka and Tidemark's own, both in processes apart from the one that reads, so that the kernel can tell whose
the processors' time was. Tidemark fills a topic and reads it to its end, once for warmth and then three times; each figure is the
median. "ours" is the CPU seconds of the process that reads, from its start to its end; "broker" those that the broker spent meanwhile; the
share is ours of both. On a machine where others work too, CPU seconds say more than rows a second. Without Apache Kafka its lines are left out.
"""

import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARY = os.path.join(ROOT, "bin", "tidemark")
ROWS = int(os.environ.get("ROWS") or 1_000_000)
ROUNDS = 3

# Columns, and the options of datagen that fill them.
THREE = [("auction", "BIGINT"), ("price", "BIGINT"), ("channel", "STRING")]
TEN = THREE + [("bidder", "BIGINT"), ("url", "STRING"), ("amount", "DOUBLE"), ("paid", "BOOLEAN"), ("quantity", "INT"), ("made", "TIMESTAMP(3)"), ("note", "STRING")]
LENGTHS = {"channel": 10, "url": 40, "note": 30, "line": 100}
SHAPES = [
    ("json, 3 columns", "json", THREE, 3),
    ("json, 10 columns", "json", TEN, 10),
    ("json, 3 of 10 columns", "json", TEN, 3),
    ("avro, 3 columns", "avro", THREE, 3),
    ("avro, 10 columns", "avro", TEN, 10),
    ("raw, 100 bytes", "raw", [("line", "STRING")], 1),
]


def columns(fields):
    return ", ".join(f"{name} {kind}" for name, kind in fields)


def topic(fields, form, partitions):
    """The statement that makes the topic, or takes it as it is."""
    return f"CREATE TABLE bench_topic ({columns(fields)}) DISTRIBUTED INTO {partitions} BUCKETS WITH ('value.format' = '{form}');\n"


def generator(fields):
    options = {"connector": "datagen", "number-of-rows": str(ROWS), "rows-per-second": "1000000", "start-time": "2026-01-01 00:00:00"}
    for name, kind in fields:
        if kind in ("BIGINT", "DOUBLE"):
            options |= {f"fields.{name}.min": "0", f"fields.{name}.max": "1000000"}
        elif name in LENGTHS:
            options[f"fields.{name}.length"] = str(LENGTHS[name])
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
    return f"CREATE TABLE made ({columns(fields)}) WITH ({listed});\n"


def run(address, sql):
    """Wall and CPU seconds of a run, and what it wrote to standard error."""
    with tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen([BINARY, "run", "--brokers", address, "-e", sql], stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        err.seek(0)
        text = err.read().decode()
    if status != 0:
        sys.exit(f"kafka.py: {sql}\nfails:\n{text}")
    return wall, usage.ru_utime + usage.ru_stime, text


def spent(pid):
    """CPU seconds of a process so far. Linux only."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def measure(broker, address, pid, shape, partitions):
    name, form, fields, read = shape
    run(address, topic(fields, form, partitions) + generator(fields) + "INSERT INTO bench_topic SELECT * FROM made;")
    chosen = fields[:read]
    names = ", ".join(field for field, _ in chosen)
    sql = (topic(fields, form, partitions) + f"CREATE TABLE nothing ({columns(chosen)}) WITH ('connector' = 'blackhole');\n"
           f"INSERT INTO nothing SELECT {names} FROM bench_topic /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */;")
    walls, ours, theirs = [], [], []
    for turn in range(ROUNDS + 1):
        before = spent(pid)
        wall, cpu, said = run(address, sql)
        if f"{ROWS:,} rows out" not in said:
            sys.exit(f"kafka.py: {name}: not {ROWS:,} rows:\n{said}")
        if turn > 0:
            walls.append(wall)
            ours.append(cpu)
            theirs.append(spent(pid) - before)
    run(address, topic(fields, form, partitions) + "DROP TABLE bench_topic;")
    wall, mine, other = statistics.median(walls), statistics.median(ours), statistics.median(theirs)
    share = statistics.median(a / (a + b) for a, b in zip(ours, theirs))
    line([name, broker, str(partitions), f"{ROWS / wall / 1e6:.2f} M", f"{mine:.2f}", f"{other:.2f}", f"{share:.0%}", f"{mine / ROWS * 1e9:.0f}"])


def own():
    """Tidemark's broker in a process of its own, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    sql = "CREATE TABLE keeps_the_broker (id BIGINT); SELECT * FROM keeps_the_broker"
    process = subprocess.Popen([BINARY, "run", "--quiet", "--broker-listen", address, "-e", sql], stdout=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, address
        time.sleep(0.05)
    sys.exit("kafka.py: the broker did not start")


def main():
    wanted = os.environ.get("ONLY", "")
    line(["topic", "broker", "partitions", "rows/s", "ours, CPU s", "broker, CPU s", "our share", "ours, ns per row"])
    line(["---"] * 2 + ["---:"] * 6)
    process, address = own()
    try:
        brokers = [("own", address, process.pid)]
        if "TIDEMARK_KAFKA_PID" in os.environ:
            brokers.append(("Apache", os.environ["TIDEMARK_KAFKA"], int(os.environ["TIDEMARK_KAFKA_PID"])))
        for shape in SHAPES:
            for broker, at, pid in brokers:
                for partitions in (1, 12):
                    if re.search(wanted, f"{shape[0]} {broker} {partitions}"):
                        measure(broker, at, pid, shape, partitions)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
