"""learners: what learners did and what is done for them, and how nobody is named by it."""
