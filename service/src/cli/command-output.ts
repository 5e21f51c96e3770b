/** A value as `--json` shows it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

type Stream = { readonly write: (text: string) => unknown }
type Streams = { readonly stdout: Stream; readonly stderr: Stream }

/** Prints what a command found: sentences for people or, with `--json`, one JSON object as the last line. */
export class CommandOutput {
  /** Whether programs read it. */
  readonly isJson: boolean
  readonly #streams: Streams

  constructor(isJson: boolean, streams: Streams = process) {
    this.isJson = isJson
    this.#streams = streams
  }

  /** The end of a command: `sentences` for people, `result` for programs. */
  finish(sentences: readonly string[], result: Readonly<Record<string, JsonValue>>): void {
    // In one piece: who waits for the first sentence gets the others too.
    const lines = this.isJson ? [JSON.stringify(result)] : sentences
    this.#streams.stdout.write(lines.map(line => `${line}\n`).join(''))
  }

  /** The end of a command that failed. The sentence always goes to the error stream. */
  fail(message: string): void {
    this.#streams.stderr.write(`vitrine: ${message}\n`)
    if (this.isJson) this.#streams.stdout.write(`${JSON.stringify({ error: message })}\n`)
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
