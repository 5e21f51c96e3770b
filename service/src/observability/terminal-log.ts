import { counted } from '@vitrine/engine/counted'
import { z } from 'zod'

/** Returns to the start of the terminal's line and clears it, since a start's progress may be shown there. */
export const CLEAR_LINE = '\r\u001B[2K'

/** A line of the log, as written by pino. */
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

/** Routes that generate mockups, by API key or from the dashboard. */
const generatingRoute = /\/mockups\/generate$/
/** Routes called by customers' programs, whose errors a developer wants to see. */
const interfaceRoute = / \/(?:api\/v1|mcp)\b/

/** Control characters that could affect a terminal; tabs and line ends are allowed. */
const controls = /(?![\t\n])\p{Cc}/gu

/** The most template ids shown; a larger batch is shown as a number. */
const NAMED_TEMPLATES_MAX = 3

/** Longer values are truncated; the JSON log has them in full. */
const FIELD_CHARACTERS_MAX = 200

/**
 * Formats a line of the JSON log for a person at a terminal: a line per mockup, errors and changes of state.
 * Null if the line is not shown.
 *
 * @param isWhole shows everything, for LOG_LEVEL `debug`
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
  const credits = creditsConsumed === 0 ? '' : `  ${counted(creditsConsumed, 'credit')}`
  return `${subject}${result}${credits}${isReplayed ? '  repeated answer' : ''}  ${durationMs} ms`
}

/** The address that the service listens on is part of the welcome message. */
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

/** In the local time zone, to the second. */
function localTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}
