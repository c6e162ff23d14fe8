"""Rules about who must approve what."""
