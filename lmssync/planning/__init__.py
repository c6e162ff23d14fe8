"""planning: from a catalog to a plan: load, compare, plan, judge. It sends no write."""
