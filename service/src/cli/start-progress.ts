import { CLEAR_LINE } from '../observability/terminal-log.ts'

/** A longer step is reported repeatedly with its seconds, to show that it is not stuck. */
const REPEAT_MS = 1000

/** The width of a terminal that does not report it. */
const DEFAULT_COLUMNS = 80

/** Shows the current step of a start: on a terminal in one updated line, else in a line for each step. */
export class StartProgress {
  readonly #stream: NodeJS.WriteStream | null
  readonly #timer: NodeJS.Timeout
  #step = ''
  #saidAtMs = 0

  /** @param stream null for no output */
  constructor(stream: NodeJS.WriteStream | null) {
    this.#stream = stream
    // Continue even if no one reads the output any more.
    stream?.on('error', () => undefined)
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS).unref()
  }

  say(step: string): void {
    this.#step = step
    this.#saidAtMs = performance.now()
    this.#timer.refresh()
    this.#write(`${step} …`)
  }

  end(): void {
    clearInterval(this.#timer)
    if (this.#stream?.isTTY === true && this.#step !== '') this.#stream.write(CLEAR_LINE)
    this.#step = ''
  }

  [Symbol.dispose](): void {
    this.end()
  }

  #repeat(): void {
    if (this.#step !== '') this.#write(`${this.#step} … ${Math.round((performance.now() - this.#saidAtMs) / 1000)} s`)
  }

  #write(text: string): void {
    if (this.#stream === null) return
    // A longer text would wrap and leave its first part on the terminal.
    const line = this.#stream.isTTY
      ? CLEAR_LINE + text.slice(0, (this.#stream.columns || DEFAULT_COLUMNS) - 1)
      : `${text}\n`
    this.#stream.write(line)
  }
}
