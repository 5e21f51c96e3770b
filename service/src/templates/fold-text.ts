/**
 * A text as searches compare it: equal for all spellings that differ only in case or in how accents are
 * encoded. Character by character, since the lower case of a whole word depends on its end in Greek; by way
 * of the upper case, so that ß finds SS, and by way of the lower case before it, so that the capital ẞ does
 * too.
 */
export function foldText(text: string): string {
  const steps = [lower, upper, lower]
  return steps.reduce((folded, step) => Array.from(folded, step).join(''), text.normalize('NFC')).normalize('NFC')
}

function lower(character: string): string {
  return character.toLowerCase()
}

function upper(character: string): string {
  return character.toUpperCase()
}
