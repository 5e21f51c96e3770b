/** A value as `--json` shows it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Prints what a command found: sentences for people or, with `--json`, one JSON object as the last line. */
export class CommandOutput {
  /** Whether programs read it. */
  readonly isJson: boolean

  constructor(isJson: boolean) {
    this.isJson = isJson
  }

  /** The end of a command: `sentences` for people, `result` for programs. */
  finish(sentences: readonly string[], result: Readonly<Record<string, JsonValue>>): void {
    // In one piece: who waits for the first sentence gets the others too.
    const lines = this.isJson ? [JSON.stringify(result)] : sentences
    process.stdout.write(lines.map(line => `${line}\n`).join(''))
  }

  /** The end of a command that failed. The sentence always goes to the error stream. */
  fail(message: string): void {
    process.stderr.write(`vitrine: ${message}\n`)
    if (this.isJson) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
  }
}

/** Columns as wide as their widest cell, two blanks between them, one line per row. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  }
  return rows.map(row =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
