/**
 * Saves what is typed into a form until it is sent, in this tab only, over reloads and the end of a session.
 * Names are `form field`. Never for secrets.
 */

const PREFIX = 'typed '

export const savedText = (name: string): string | null => sessionStorage.getItem(PREFIX + name)

export const saveText = (name: string, text: string): void => sessionStorage.setItem(PREFIX + name, text)

/** Removes every field of a form after it was sent or closed. */
export const forgetText = (form: string): void => forgetBeginningWith(`${PREFIX}${form} `)

/** Removes the fields of all forms: the next user of this tab may be someone else. */
export const forgetAllText = (): void => forgetBeginningWith(PREFIX)

function forgetBeginningWith(beginning: string): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(beginning)) sessionStorage.removeItem(name)
}
