import process from 'node:process'
import { type DestinationStream, type Logger, pino } from 'pino'
import { CLEAR_LINE, formatForTerminal } from './terminal-log.ts'

/** Patterns of secrets: API keys of this service, and queries and credentials in URLs. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/vt_[0-9A-Za-z]{8,}/g, 'vt_...'],
  [/(\bhttps?:\/\/)[^\s/?#"'@]*@/gi, '$1...@'],
  [/(\bhttps?:\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1?...'],
]

/** Removes the secrets above from a text. */
export function redact(text: string): string {
  return secretPatterns.reduce((safe, [pattern, replacement]) => safe.replaceAll(pattern, replacement), text)
}

/** An error for the log: its messages and those of its causes are redacted. */
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

/** The process's log: JSON lines, by default on standard output; on a terminal a short form. */
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

/** A closed log output (such as a terminal) is no reason to exit. */
function ignore(): void {}
