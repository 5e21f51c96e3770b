/** What a spreadsheet would treat as a formula. */
const beginsFormula = /^[=+\-@\t\r]/

/** A line of CSV (RFC 4180). Formulas are escaped by an apostrophe, so that they are treated as texts. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell => (typeof cell === 'number' ? String(cell) : csvText(cell))).join(',')}\r\n`
}

function csvText(text: string): string {
  const safe = beginsFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
