/** A value in the output of `--json`. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

type Stream = { readonly write: (text: string) => unknown }
type Streams = { readonly stdout: Stream; readonly stderr: Stream }

/** Prints a command's result: sentences for people or, with `--json`, one JSON object as the last line. */
export class CommandOutput {
  /** Whether the output is for programs. */
  readonly isJson: boolean
  readonly #streams: Streams

  constructor(isJson: boolean, streams: Streams = process) {
    this.isJson = isJson
    this.#streams = streams
  }

  /** Ends a command: `sentences` are for people, `result` is for programs. */
  finish(sentences: readonly string[], result: Readonly<Record<string, JsonValue>>): void {
    // Written at once, so that a reader waiting for the first sentence gets all of them.
    const lines = this.isJson ? [JSON.stringify(result)] : sentences
    this.#streams.stdout.write(lines.map(line => `${line}\n`).join(''))
  }

  /** Prints a warning, after which the command continues. */
  warn(message: string): void {
    this.#streams.stderr.write(`vitrine: ${message}\n`)
  }

  /** Ends a failed command. The sentence always goes to the error stream. */
  fail(message: string): void {
    this.warn(message)
    if (this.isJson) this.#streams.stdout.write(`${JSON.stringify({ error: message })}\n`)
  }
}

/** Formats rows as columns, each as wide as its widest cell, separated by two blanks. */
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
