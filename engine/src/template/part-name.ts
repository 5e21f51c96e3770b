/** The name of a slot or a colour area, as text of an expression. */
export const PART_NAME = '[a-z][a-z0-9-]{0,31}'

export const partNameForm = new RegExp(`^${PART_NAME}$`)
