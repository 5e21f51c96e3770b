import process from 'node:process'
import { type DestinationStream, type Logger, pino } from 'pino'
import { CLEAR_LINE, formatForTerminal } from './terminal-log.ts'

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

/** The log of the process: JSON lines, by default on standard output; on a terminal in short. */
export function createLogger(level: string, destination: DestinationStream = standardOutput(level)): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return pino(options, destination)
}

function standardOutput(level: string): DestinationStream {
  return process.stdout.isTTY ? terminalOutput(level) : pino.destination(1).on('error', ignore)
}

function terminalOutput(level: string): DestinationStream {
  const isWhole = level === 'debug' || level === 'trace'
  process.stdout.on('error', ignore)
  return {
    write: json => {
      const line = formatForTerminal(json, { isWhole })
      if (line !== null) process.stdout.write(`${CLEAR_LINE}${line}\n`)
    },
  }
}

/** A log that nobody reads any more (a terminal that is gone) is no reason to end. */
function ignore(): void {}
