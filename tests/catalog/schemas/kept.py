"""The schemas as they stand in `schemas/`: making them anew takes half a second each time.

`test_schemas.py` compares them with those that the kinds give.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "schemas"
KEPT: dict[str, Any] = {
    file.name: json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*.json"))
}
"""Each by the name of its file."""
