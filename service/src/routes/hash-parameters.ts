import { createHash } from 'node:crypto'
import type { ArtworkSource, RequestArtwork } from '../mockups/request-artwork.ts'
import type { GenerateParameters } from './generate-parameters.ts'

/** What JSON represents without loss. A parameter of another type (Map, Date) does not compile below. */
type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject
type JsonObject = { readonly [name: string]: Json }

/**
 * SHA-256 over every parsed parameter, with the URL or SHA-256 of each artwork. Saved answers are matched by
 * it for 24 h, even after an upgrade: a new parameter must be undefined if a request does not use it.
 */
export function hashParameters({ artwork, ...others }: GenerateParameters): string {
  const asked: JsonObject = { ...others, artwork: describeArtwork(artwork) }
  return createHash('sha256').update(canonicalJson(asked)).digest('hex')
}

function describeArtwork(artwork: RequestArtwork): Json {
  if (artwork.kind === 'one') return [['*', describeSource(artwork.source)]]
  return [...artwork.sources].sort(byName).map(([frame, source]) => [frame, describeSource(source)])
}

function describeSource(source: ArtworkSource): string {
  if (source.kind === 'url') return source.url.href
  if (source.sha256 === null) throw new Error('An upload was not hashed although its answer is to be saved')
  return `sha256:${source.sha256}`
}

/** JSON in which equal values have equal texts: names are sorted at every level. */
function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, item: Json) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(byName)) : item,
  )
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
