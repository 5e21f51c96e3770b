/**
 * Folds a text for searches: equal for all spellings that differ only in case or in the encoding of accents.
 * It works by character, since lower case in Greek depends on the position in a word. It maps to lower, upper
 * and lower case again, so that ß, ẞ and SS are equal.
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
