"""One file per template: TEMPLATE says what it is, build(shot) furnishes the room."""
