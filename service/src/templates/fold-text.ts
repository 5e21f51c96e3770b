/**
 * A text as searches compare it: equal for all spellings that differ only in case or in how accents are encoded. Character by
 * character, since the lower case of a whole word depends on its end in Greek; by way of the upper case, so that ß finds SS.
 */
export function foldText(text: string): string {
  return Array.from(text.normalize('NFC'), character => Array.from(character.toUpperCase(), lower).join(''))
    .join('')
    .normalize('NFC')
}

function lower(character: string): string {
  return character.toLowerCase()
}
