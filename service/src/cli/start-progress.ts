import { CLEAR_LINE } from '../observability/terminal-log.ts'

/** A step that takes longer is said again with its seconds: nobody has to ask whether it hangs. */
const REPEAT_MS = 1000

/** Of a terminal that does not know its width. */
const DEFAULT_COLUMNS = 80

/** What a start does now: on a terminal one line that changes and ends, else a line for each. */
export class StartProgress {
  readonly #stream: NodeJS.WriteStream | null
  readonly #timer: NodeJS.Timeout
  #step = ''
  #saidAtMs = 0

  /** @param stream null says nothing */
  constructor(stream: NodeJS.WriteStream | null) {
    this.#stream = stream
    // Output that nobody reads any more is no reason to end.
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
    // Longer than its line a text would leave its beginning on the terminal.
    const line = this.#stream.isTTY
      ? CLEAR_LINE + text.slice(0, (this.#stream.columns || DEFAULT_COLUMNS) - 1)
      : `${text}\n`
    this.#stream.write(line)
  }
}
