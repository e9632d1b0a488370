"""Summarize each column of a CSV file, read as text. Usage: profile.py FILE [SEPARATOR]"""

import csv
import sys
from collections import Counter


def profile(path: str, separator: str = ",") -> None:
    with open(path, newline="", encoding="utf-8-sig") as source:
        rows = list(csv.DictReader(source, delimiter=separator))
    print(f"{len(rows)} rows")
    for column in rows[0] if rows else []:
        values = [(row[column] or "").strip() for row in rows]
        common = ", ".join(f"{value!r} {count}" for value, count in Counter(values).most_common(3))
        print(f"{column} | distinct {len(set(values))} | empty {values.count('')} | {common}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    profile(*sys.argv[1:])
