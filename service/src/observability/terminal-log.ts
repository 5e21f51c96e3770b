import { z } from 'zod'

/** Moves to the beginning of the terminal's line and clears it: the progress of a start may stand there. */
export const CLEAR_LINE = '\r\u001B[2K'

/** A line of the log, as pino writes it. */
const logLine = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().default('') })

const requestLine = z.looseObject({
  method: z.string(),
  route: z.string(),
  status: z.number(),
  outcome: z.string(),
  durationMs: z.number(),
  templateIds: z.array(z.string()).default([]),
  creditsConsumed: z.number().default(0),
  isReplayed: z.boolean().default(false),
})

const loggedError = z.looseObject({ stack: z.string() })

/** What asks for mockups, by API key or in the dashboard. */
const generatingRoute = /\/mockups\/generate$/
/** What programs of customers call: their errors are the developer's to see. */
const interfaceRoute = / \/(?:api\/v1|mcp)\b/

/** What a value from outside could make a terminal do; tabs and the ends of lines stay. */
const controls = /(?![\t\n])\p{Cc}/gu

/** Named by so many templates, a batch is told by its number. */
const NAMED_TEMPLATES_MAX = 3

/** Longer values of fields are cut: the JSON has them whole. */
const FIELD_CHARACTERS_MAX = 200

/**
 * A line of the JSON log in short, for a person at a terminal: a line per mockup, errors and what changes.
 * Null: not worth a line there.
 *
 * @param isWhole everything is, as who sets LOG_LEVEL to `debug` wants it
 */
export function formatForTerminal(json: string, { isWhole }: { readonly isWhole: boolean }): string | null {
  const { level, time, msg, ...fields } = logLine.parse(JSON.parse(json))
  const text = msg === 'request' ? describeRequest(fields, isWhole) : describeEvent(msg, fields, isWhole)
  if (text === null) return null
  const severity = level === 'info' || level === 'debug' || level === 'trace' ? '' : `${level}: `
  return `${localTime(time)}  ${severity}${text.replaceAll(controls, '')}`
}

function describeRequest(fields: unknown, isWhole: boolean): string | null {
  const request = requestLine.parse(fields)
  const { method, route, status, outcome, durationMs, templateIds, creditsConsumed, isReplayed } = request
  const isGeneration = generatingRoute.test(route)
  const isFailure = status >= 500 || (status >= 400 && interfaceRoute.test(route))
  if (!isGeneration && !isFailure && !isWhole) return null
  const subject = !isGeneration
    ? route === 'other'
      ? method
      : route
    : templateIds.length > NAMED_TEMPLATES_MAX
      ? `${templateIds.length} mockups`
      : templateIds.join(', ') || 'mockup'
  const result = outcome === 'ok' ? '' : `  ${status} ${outcome}`
  const credits = creditsConsumed === 0 ? '' : `  ${creditsConsumed} credit${creditsConsumed === 1 ? '' : 's'}`
  return `${subject}${result}${credits}${isReplayed ? '  repeated answer' : ''}  ${durationMs} ms`
}

/** The welcome says where the service listens. */
function describeEvent(msg: string, { err, ...fields }: Record<string, unknown>, isWhole: boolean): string | null {
  if (msg === 'listening' && !isWhole) return null
  const texts = Object.entries(fields).map(([name, value]) => `${name}: ${shorten(value)}`)
  const stack = loggedError.safeParse(err).data?.stack
  return `${[msg, ...texts].join('; ')}${stack === undefined ? '' : `\n${stack}`}`
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.includes('\n') ? `\n${text}\n` : text.slice(0, FIELD_CHARACTERS_MAX)
}

/** Of this machine, to the second. */
function localTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}
