"""How many clusters, processes and bytes so many ledgers want: the tables of Docs/Notes/Cells.md.

Usage: sizes.py [NAME=VALUE ...], e.g. sizes.py devices=3 rows=20000; --check PATH compares with what the note says.
"""

import math
import sys

# What was measured: bytes, and what a second brings (Docs/Relay.md, "Sizing").
MEASURED = {
    "ledger bytes": 475, "device bytes": 465, "entry bytes beside its own": 283, "snapshot bytes a row": 141,
    "stream kB": 25, "pushes a second and cluster": 4_204, "directory bytes": 116,
}
# What is assumed, and what a reader may put in.
ASSUMED = {
    "devices": 2, "entries": 200, "entry": 300, "rows": 5_000, "pushes": 20, "peak": 4, "online": 5, "disk": 1_000,
    "load": 50, "streams": 10_000, "connections": 16,
}


def sizes(ledgers, **assumed):
    a = {**ASSUMED, **assumed}
    each = (MEASURED["ledger bytes"] + a["devices"] * MEASURED["device bytes"]
            + a["entries"] * (MEASURED["entry bytes beside its own"] + a["entry"])
            + a["rows"] * MEASURED["snapshot bytes a row"])
    pushes = ledgers * a["pushes"] * a["peak"] / 86_400
    by_disk = math.ceil(ledgers * each / (a["disk"] * 1e9))
    by_pushes = math.ceil(pushes / (MEASURED["pushes a second and cluster"] * a["load"] / 100))
    clusters = max(by_disk, by_pushes)
    streams = ledgers * a["devices"] * a["online"] / 100
    # Two at least, so that one may be killed.
    processes = max(2, math.ceil(streams / a["streams"] / clusters))
    return {
        "disk, on each of three nodes": bytes_text(ledgers * each),
        "pushes a second at the peak": f"{pushes:,.0f}",
        "clusters by disk": f"{by_disk:,}",
        "clusters by pushes": f"{by_pushes:,}",
        "**clusters**": f"**{clusters:,}**",
        "devices that wait in a ring": f"{streams:,.0f}",
        "relay processes of a cell": f"{processes:,}",
        "memory of a process": f"{a['streams'] * MEASURED['stream kB'] / 1_000 + 40:,.0f} MB at most",
        "connections of a cluster": f"{processes * (a['connections'] + 1):,}",
        "directory": bytes_text(ledgers * MEASURED["directory bytes"]),
    }


def bytes_text(count):
    for unit, size in [("TB", 1e12), ("GB", 1e9), ("MB", 1e6)]:
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:,.0f} bytes"


def main():
    assumed = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
    unknown = set(assumed) - set(ASSUMED)
    if unknown:
        raise SystemExit(f"nobody knows {', '.join(unknown)}; there are {', '.join(ASSUMED)}")
    columns = [sizes(count, **{name: float(value) for name, value in assumed.items()})
               for count in (1_000_000, 10_000_000, 100_000_000)]
    lines = [f"| {name} | {' | '.join(column[name] for column in columns)} |" for name in columns[0]]
    if "--check" in sys.argv:
        with open(sys.argv[-1]) as note:
            missing = set(lines) - set(note.read().splitlines())
        if missing:
            raise SystemExit("the note says otherwise:\n" + "\n".join(sorted(missing)))
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
