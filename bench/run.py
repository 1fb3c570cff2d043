#!/usr/bin/env python3
"""The benchmark: Tidemark and DuckDB over the same file of Nexmark bids, one beside the other.

    make bench             5 million rows, with 1,000 and with 1,000,000 distinct keys
    FULL=1 make bench      20 million rows as well

Everything runs on one CPU (taskset, where there is one), with the page cache warm. Each line is the median of three rounds; in a round
Tidemark and its peer run one after the other, and a ratio is the median of the ratios of the rounds, so that a machine which changes its
pace changes both. Without DuckDB, which bench/setup.sh puts into the user's cache folder, the peer's columns stay empty. Generated
files are kept in the cache folder too.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tidemark", "bench")
BINARY = os.path.join(ROOT, "bin", "tidemark")
PINNED = ["taskset", "-c", "0"] if shutil.which("taskset") else []
QUERIES = ["tumble", "hop", "filter"]
ROUNDS = 3


def bids(rows, keys):
    """The file of so many bids, made if it is not there."""
    os.makedirs(CACHE, exist_ok=True)
    version = subprocess.run([BINARY, "version"], capture_output=True, text=True, check=True).stdout.split()[1].rstrip(",")
    path = os.path.join(CACHE, f"bids-{version}-{rows}-{keys}.jsonl")
    if not os.path.exists(path):
        print(f"generating {path}", file=sys.stderr)
        with open(path + ".part", "wb") as out:
            subprocess.run([BINARY, "generate", "nexmark", "--rows", str(rows), "--keys", str(keys)], stdout=out, check=True)
        os.replace(path + ".part", path)
    return path


def warm(path):
    with open(path, "rb") as file:
        while file.read(1 << 20):
            pass


class Peak(threading.Thread):
    """Follows the kernel's mark of the most memory that a process has held. What wait4 tells starts from this process's own."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.path, self.bytes = f"/proc/{pid}/status", 0

    def run(self):
        try:
            while True:
                with open(self.path, encoding="ascii") as status:
                    found = re.search(r"VmHWM:\s+(\d+)", status.read())
                if found is None:  # it has ended
                    return
                self.bytes = int(found.group(1)) * 1024
                time.sleep(0.01)
        except OSError:
            return


def run(argv, pinned=True):
    """Wall seconds, CPU seconds and peak bytes of a command, and what it wrote to standard error."""
    with tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen((PINNED if pinned else []) + argv, stdout=subprocess.DEVNULL, stderr=err, cwd=ROOT)
        peak = Peak(process.pid)
        peak.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        peak.join()
        err.seek(0)
        text = err.read().decode()
    if status != 0:
        sys.exit(f"run.py: {' '.join(argv)} fails:\n{text}")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": peak.bytes, "said": text}


def tidemark(query, path):
    with open(os.path.join(HERE, query + ".sql"), encoding="utf-8") as file:
        sql = file.read().replace("BIDS_FILE", path)
    return run([BINARY, "run", "--parallelism", "1", "-e", sql])


def peer(python, query, path, rows):
    if python is None:
        return None
    argv = PINNED + [python, os.path.join(HERE, "peer.py"), "--measure", query, path, str(rows)]
    result = json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout)
    return {"wall": result["wall_seconds"], "cpu": result["cpu_seconds"], "peak": result["peak_bytes"], "out": result["answer"][0]}


def same_answer(query, mine, theirs):
    """Stops if the engines differ in how many rows they answer: speed means nothing then."""
    out = int(re.search(r"([0-9,]+) rows? out", mine["said"]).group(1).replace(",", ""))
    if theirs is not None and out != theirs["out"]:
        sys.exit(f"run.py: {query} gives {out} rows, and DuckDB {theirs['out']}")


def find_peer():
    try:
        done = subprocess.run([os.path.join(HERE, "setup.sh")], stdout=subprocess.PIPE, check=True, text=True)
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError) as err:
        print(f"no DuckDB: {err}", file=sys.stderr)
        return None


def median(rounds, field):
    return statistics.median(r[field] for r in rounds)


def ratio(ours, theirs, field):
    """How many times as fast we are: the median over neighbouring runs."""
    return statistics.median(b[field] / a[field] for a, b in zip(ours, theirs))


def columns(rounds, rows):
    if rounds[0] is None:
        return ["", "", ""]
    return [f"{rows / median(rounds, 'wall') / 1e6:.2f} M", f"{rows / median(rounds, 'cpu') / 1e6:.2f} M", f"{median(rounds, 'peak') / 1e6:.0f}"]


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def table(python, sizes):
    """The main table. Returns the rounds of Tidemark by query, keys and rows."""
    line(["query", "keys", "rows", "rows/s", "rows per CPU s", "peak MB", "DuckDB rows/s", "rows per CPU s", "peak MB", "ratio, wall", "ratio, CPU"])
    line(["---"] * 2 + ["---:"] * 9)
    ours = {}
    for rows in sizes:
        for keys in (1_000, 1_000_000):
            path = bids(rows, keys)
            warm(path)
            for query in QUERIES:
                pairs = [(tidemark(query, path), peer(python, query, path, rows)) for _ in range(ROUNDS)]
                mine, theirs = [p[0] for p in pairs], [p[1] for p in pairs]
                same_answer(query, mine[0], theirs[0])
                ours[query, keys, rows] = mine
                against = [f"{ratio(mine, theirs, field):.2f}" if python else "" for field in ("wall", "cpu")]
                line([query, f"{keys:,}", f"{rows // 1_000_000} M", *columns(mine, rows), *columns(theirs, rows), *against])
    return ours


def within(rows):
    """What a query costs beside another one, in pairs of neighbouring runs."""
    for keys in (1_000, 1_000_000):
        path = bids(rows, keys)
        warm(path)
        for name, query, beside, aim in [
            ("hop(10 s, 2 s) against tumble(10 s)", "hop", "tumble", "2"),
            ("on-event at gap 1 against periodic", "tumble", "tumble_periodic", "1.5"),
        ]:
            pairs = [(tidemark(query, path), tidemark(beside, path)) for _ in range(ROUNDS)]
            value = statistics.median(a["wall"] / b["wall"] for a, b in pairs)
            print(f"- {name}, wall, {keys:,} keys: {value:.2f} (aim: {aim} or less)", flush=True)


def memory(ours, sizes):
    if len(sizes) < 2:
        print("- peak memory at 20 M rows against 5 M: FULL=1 measures it")
        return
    for query in QUERIES:
        for keys in (1_000, 1_000_000):
            small, large = (median(ours[query, keys, rows], "peak") for rows in sizes)
            print(f"- peak memory at 20 M rows against 5 M, {query}, {keys:,} keys: {large / small:.2f} (aim: 1.10 or less)")


def first_result():
    """From the start of the process to the first row of the earthquakes example."""
    took = []
    for _ in range(5):
        started = time.perf_counter()
        argv = [BINARY, "run", "--quiet", "examples/earthquakes/hourly.sql"]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) as process:
            process.stdout.readline()
            took.append(time.perf_counter() - started)
            process.stdout.read()
    print(f"- first result of the earthquakes example: {statistics.median(took) * 1000:.0f} ms (aim: 200 or less)")


def core():
    """The benchmark of the watermark core: what a row costs, by number of splits."""
    out = subprocess.run(["go", "test", "-run", "^$", "-bench", "Observe", "./watermark"], capture_output=True, text=True, cwd=ROOT, check=True)
    for found in re.findall(r"^Benchmark.*$", out.stdout, re.MULTILINE):
        print(f"- {' '.join(found.split())}")


def main():
    sizes = [5_000_000, 20_000_000] if os.environ.get("FULL") else [5_000_000]
    ours = table(find_peer(), sizes)
    print()
    within(sizes[0])
    memory(ours, sizes)
    first_result()
    core()


if __name__ == "__main__":
    main()
