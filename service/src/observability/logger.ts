import { type DestinationStream, type Logger, pino } from 'pino'

/** What looks like an API key of this service, and the queries and credentials of addresses. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/vt_[0-9A-Za-z]{8,}/g, 'vt_...'],
  [/(\bhttps?:\/\/)[^\s/?#"'@]*@/gi, '$1...@'],
  [/(\bhttps?:\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1?...'],
]

/** A text without the secrets above. */
export function redact(text: string): string {
  return secretPatterns.reduce((safe, [pattern, replacement]) => safe.replaceAll(pattern, replacement), text)
}

/** An error as it may be logged: its texts and those of its causes redacted. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redact(String(error))
  return {
    type: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** The log of the process: one JSON object per line, by default on standard output. */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return pino(options, destination)
}

/** A log that nobody reads any more (a terminal that is gone) is no reason to end. */
function standardOutput(): DestinationStream {
  return pino.destination(1).on('error', () => undefined)
}
