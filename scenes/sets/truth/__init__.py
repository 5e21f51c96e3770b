"""Products of which photos are taken for photo/bench: rendered as templates are, and not shipped as such."""
