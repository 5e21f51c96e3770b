/** Full mockups, rendered by the service for a credit each. */
import { type DashboardTemplate, MOCKUP_NOTE_HEADER, type MockupNote, type OutputFormat } from '@vitrine/contract'
import { ApiError, send } from '../api.ts'
import { hasColors, type ProductColors } from '../coloring/product-colors.ts'
import { sha256 } from '../sha256.ts'
import type { PlacementParameters } from './placing.ts'

export type FullMockup = {
  readonly blob: Blob
  /** 0 if the service rendered it within the last day. Includes charges for an answer that was lost. */
  readonly creditsUsed: number
  readonly creditsRemaining: number
}
export type MockupOutput = { readonly format: OutputFormat; readonly widthPx: number; readonly quality: number }

export const defaultOutput: MockupOutput = { format: 'jpeg', widthPx: 2000, quality: 85 }

/** The inputs of a mockup besides its template. */
export type MockupWork = {
  /** One for every frame, or one per frame. */
  readonly artworks: readonly Blob[]
  readonly output: MockupOutput
  readonly placement?: PlacementParameters
  readonly colors?: ProductColors
}

/** The name of the first artwork. */
export const artworkNameOf = ({ artworks: [artwork] }: MockupWork): string =>
  artwork instanceof File ? artwork.name : 'artwork.jpg'

type Once = {
  /** Aborting before the answer begins refunds the credit. */
  readonly signal: AbortSignal
  /** Requests with the same key are charged once. */
  readonly idempotencyKey: string
  /** The name under which the service stores it in *My mockups*. */
  readonly note: MockupNote
  /** The request was sent before and its answer did not arrive. */
  readonly isAskedAgain?: boolean
}

/** Retries while the service is busy or unreachable. @throws ApiError */
export async function renderPatiently(templateId: string, work: MockupWork, once: Once): Promise<FullMockup> {
  let isLost = once.isAskedAgain === true
  for (let attempt = 1; ; attempt++) {
    try {
      const mockup = await renderInFull(templateId, work, once)
      return isLost && mockup.creditsUsed === 0 ? { ...mockup, creditsUsed: 1 } : mockup
    } catch (error) {
      const isPassing = error instanceof ApiError && isWorthAskingAgain(error)
      if (!isPassing || attempt >= ATTEMPTS || once.signal.aborted) throw error
      isLost ||= error.status === 0
      await sleep((error.retryAfterSeconds ?? 2 ** attempt) * 1000, once.signal)
      if (once.signal.aborted) throw error
    }
  }
}

/** Including the waits between them, longer than the one-minute window of the rate limit. */
const ATTEMPTS = 6

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Whether a retry may succeed: the service or network failed, or the same request is still running. */
function isWorthAskingAgain({ status, code }: ApiError): boolean {
  return [0, 408, 429].includes(status) || status >= 500 || code === 'IDEMPOTENCY_CONFLICT'
}

/** The artworks to send: a single one if it fills every frame. */
function distinctOf(artworks: readonly Blob[]): readonly Blob[] {
  const [first] = artworks
  return first !== undefined && artworks.every(artwork => artwork === first) ? [first] : artworks
}

/** SHA-256 of artworks, computed once for each and cached as long as it exists. */
class ArtworkDigests {
  readonly #known = new WeakMap<Blob, Promise<string>>()

  of(artwork: Blob): Promise<string> {
    const known = this.#known.get(artwork)
    if (known !== undefined) return known
    const digest = artwork.arrayBuffer().then(sha256)
    this.#known.set(artwork, digest)
    // A file that could not be read may become readable later.
    digest.catch(() => this.#known.delete(artwork))
    return digest
  }
}

/** The only instance of this document. */
const artworkDigests = new ArtworkDigests()

/** A template's version, as idempotency keys contain it. */
export type TemplateVersion = Pick<DashboardTemplate, 'id' | 'version' | 'imported_at'>

/**
 * The idempotency key of a mockup: the same artworks, placements, template version, colours and output give
 * the same picture, which the service charges once a day.
 */
export async function mockupKeyOf(
  { id, version, imported_at }: TemplateVersion,
  { artworks, output: { format, widthPx, quality }, placement = {}, colors = {} }: MockupWork,
): Promise<string> {
  const sums = await Promise.all(distinctOf(artworks).map(artwork => artworkDigests.of(artwork)))
  const placed = Object.keys(placement).length === 0 ? [] : [placement]
  const colored = hasColors(colors) ? [Object.entries(colors).sort(([a], [b]) => (a < b ? -1 : 1))] : []
  const text = JSON.stringify([id, version, imported_at, format, widthPx, quality, sums, ...placed, ...colored])
  return `picture-${await sha256(new TextEncoder().encode(text))}`
}

async function renderInFull(
  templateId: string,
  { artworks, output, placement = {}, colors = {} }: MockupWork,
  { signal, idempotencyKey, note }: Once,
): Promise<FullMockup> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('format', output.format)
  form.set('width', String(output.widthPx))
  form.set('quality', String(output.quality))
  for (const [name, value] of Object.entries(placement)) form.set(name, JSON.stringify(value))
  if (hasColors(colors)) form.set('colors', JSON.stringify(colors))
  const distinct = distinctOf(artworks)
  const [first] = distinct
  if (first !== undefined && distinct.length === 1) form.set('artwork', first, 'artwork')
  else for (const [frame, artwork] of distinct.entries()) form.set(`artwork_${frame}`, artwork, `artwork-${frame}`)
  const response = await send('/dashboard/api/mockups/generate', {
    method: 'POST',
    body: form,
    signal,
    headers: {
      'idempotency-key': idempotencyKey,
      [MOCKUP_NOTE_HEADER]: encodeURIComponent(JSON.stringify(note)),
    },
  })
  const credits = (name: string): number => Number(response.headers.get(name))
  return {
    blob: await response.blob(),
    creditsUsed: credits('x-credits-used'),
    creditsRemaining: credits('x-credits-remaining'),
  }
}

/** Offers a blob as a download under a name. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
