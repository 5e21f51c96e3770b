/** The name of a slot or a colour area, as text of an expression; the engine's is the same. */
export const PART_NAME = '[a-z][a-z0-9-]{0,31}'
