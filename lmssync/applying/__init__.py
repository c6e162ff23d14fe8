"""applying: from a plan to the platform: ask, call, journal, recover. Others send no write."""
