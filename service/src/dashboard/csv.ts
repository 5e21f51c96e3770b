/** What a spreadsheet takes for a formula. */
const beginsFormula = /^[=+\-@\t\r]/

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would compute begins with an apostrophe, which makes it
 * a text there.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell => (typeof cell === 'number' ? String(cell) : csvText(cell))).join(',')}\r\n`
}

function csvText(text: string): string {
  const safe = beginsFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
