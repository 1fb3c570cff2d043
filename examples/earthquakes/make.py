#!/usr/bin/env python3
"""Makes quakes.jsonl, the data of this example, from the npm package vega-datasets.

    python3 examples/earthquakes/make.py

Needs npm and Python 3. The package's version is pinned, so the bytes written are the same every time.
"""

import json
import pathlib
import subprocess
import tarfile
import tempfile
from datetime import datetime, timedelta, timezone

PACKAGE = "vega-datasets@3.2.1"
MEMBER = "package/data/earthquakes.json"
OUTPUT = pathlib.Path(__file__).with_name("quakes.jsonl")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def feed():
    """The feed as the package ships it: a GeoJSON feature collection."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True, text=True
        ).stdout.split()[-1]
        with tarfile.open(pathlib.Path(folder, packed)) as archive:
            return json.load(archive.extractfile(MEMBER))


def iso(millis):
    """Milliseconds since the epoch as 2018-02-07T01:43:59.000Z."""
    moment = EPOCH + timedelta(milliseconds=millis)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{millis % 1000:03d}Z"


def row(feature):
    facts = feature["properties"]
    lon, lat, depth = feature["geometry"]["coordinates"]
    return {
        "id": feature["id"],
        "time": iso(facts["time"]),
        "updated": iso(facts["updated"]),
        "net": facts["net"],
        "mag": facts["mag"],
        "magType": facts["magType"],
        "type": facts["type"],
        "place": facts["place"],
        "lon": lon,
        "lat": lat,
        "depth": depth,
        "felt": facts["felt"],
        "sig": facts["sig"],
    }


def main():
    # Arrival order: a row reaches a reader of the feed when the network publishes it, not when the ground shakes.
    features = sorted(feed()["features"], key=lambda f: (f["properties"]["updated"], f["id"]))
    with OUTPUT.open("w", encoding="utf-8", newline="\n") as out:
        for feature in features:
            out.write(json.dumps(row(feature), ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{len(features)} rows in {OUTPUT}")


if __name__ == "__main__":
    main()
