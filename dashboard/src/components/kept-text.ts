/**
 * What was typed into a form and not sent yet, kept for this tab alone, so that neither a reload nor an ended session loses it. Fields are named
 * `form field`. Never for secrets.
 */

const prefix = 'typed '

export const keptText = (name: string): string | null => sessionStorage.getItem(prefix + name)

export const keepText = (name: string, text: string): void => sessionStorage.setItem(prefix + name, text)

/** Forgets every field of a form: it has done its work, or was put aside. */
export const forgetText = (form: string): void => forgetBeginningWith(`${prefix}${form} `)

/** Forgets the fields of all forms: who typed them has left, and the next one in this tab may be somebody else. */
export const forgetAllText = (): void => forgetBeginningWith(prefix)

function forgetBeginningWith(beginning: string): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(beginning)) sessionStorage.removeItem(name)
}
