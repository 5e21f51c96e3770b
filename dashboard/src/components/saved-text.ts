/**
 * Keeps what is typed into a form until it is sent, for this tab only, over a reload or the end of a session.
 * Fields are named `form field`. Never for secrets.
 */

const PREFIX = 'typed '

export const savedText = (name: string): string | null => sessionStorage.getItem(PREFIX + name)

export const keepText = (name: string, text: string): void => sessionStorage.setItem(PREFIX + name, text)

/** Forgets every field of a form: it was sent or closed. */
export const forgetText = (form: string): void => forgetBeginningWith(`${PREFIX}${form} `)

/** Forgets the fields of all forms: the next person in this tab may be another one. */
export const forgetAllText = (): void => forgetBeginningWith(PREFIX)

function forgetBeginningWith(beginning: string): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(beginning)) sessionStorage.removeItem(name)
}
