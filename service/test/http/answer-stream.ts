import assert from 'node:assert/strict'

/** An answer as sent on the connection. */
export type StreamedAnswer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** In Latin-1, one character per byte. */
  readonly body: string
}

/**
 * Splits everything that a connection has sent into complete answers. Fails for any byte in between: every
 * answer must begin where the previous one ends.
 *
 * @param received in Latin-1
 */
export function parseAnswers(received: string): readonly StreamedAnswer[] {
  const answers: StreamedAnswer[] = []
  for (let rest = received; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n')
    assert(headEnd > 0, `an answer without an end of its head: ${rest.slice(0, 200)}`)
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n')
    const status = /^HTTP\/1\.1 ([2-5]\d\d) [ -~]*$/.exec(statusLine)?.[1]
    assert(status !== undefined, `no status line: ${statusLine.slice(0, 200)}`)
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name, value] = /^([\w-]+): ([ -~]*)$/.exec(line) ?? []
      assert(name !== undefined && value !== undefined, `no header: ${line.slice(0, 200)}`)
      assert(!headers.has(name.toLowerCase()), `${name} comes twice`)
      headers.set(name.toLowerCase(), value)
    }
    const length = headers.get('content-length')
    assert(length !== undefined, 'an answer without Content-Length')
    const bodyEnd = headEnd + 4 + Number(length)
    assert(bodyEnd <= rest.length, `a body of ${length} bytes ends after ${rest.length - headEnd - 4}`)
    answers.push({ status: Number(status), headers, body: rest.slice(headEnd + 4, bodyEnd) })
    rest = rest.slice(bodyEnd)
  }
  return answers
}
