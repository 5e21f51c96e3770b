import { type DestinationStream, type Logger, pino } from 'pino'

/** Anything that looks like a key of ours, and the queries and credentials of addresses, which may hold secrets of others. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/vt_[0-9A-Za-z]{8,}/g, 'vt_...'],
  [/(\bhttps?:\/\/)[^\s/?#"'@]*@/gi, '$1...@'],
  [/(\bhttps?:\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1?...'],
]

/** A text without keys and without the queries of addresses. */
export function redact(text: string): string {
  return SECRETS.reduce((safe, [pattern, replacement]) => safe.replaceAll(pattern, replacement), text)
}

/** An error as it may be logged: its texts redacted, its causes with it. */
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

/** The structured log of the process: one JSON object per line, on standard output unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
