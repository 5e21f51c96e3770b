/** Asks Vitrine for mockups of an artwork, with links that a shop can download from. */
import { setTimeout as delay } from 'node:timers/promises'
import { readList, readText } from './read-json.ts'
import { setting } from './setting.ts'

const TIMEOUT_MS = 60_000
const TRIES_MAX = 5
const WAIT_MS = 1_000

/** What is worth another try: too many requests, a busy service, the same key still at work. */
const retriedStatuses = new Set([408, 409, 429, 500, 502, 503, 504])

export type Mockup = { readonly templateId: string; readonly url: string }

/**
 * One mockup for each template, in their order. The links end after 24 hours.
 *
 * @param name the same name with the same order gives the same mockups for 24 hours, without a second charge
 */
export async function makeMockups(order: {
  readonly artworkUrl: string
  readonly templateIds: readonly string[]
  readonly widthPx: number
  readonly name: string
}): Promise<readonly Mockup[]> {
  const body = JSON.stringify({
    template_ids: order.templateIds,
    artwork_url: order.artworkUrl,
    width: order.widthPx,
    response_format: 'json',
  })
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${setting('VITRINE_URL')}/api/v1/mockups/generate`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${setting('VITRINE_API_KEY')}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': order.name,
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const json: unknown = await answer.json()
    if (answer.ok)
      return readList(json, 'results').map(result => ({
        templateId: readText(result, 'template_id'),
        url: readText(result, 'url'),
      }))
    if (!retriedStatuses.has(answer.status) || tries === TRIES_MAX)
      throw new Error(`Vitrine answered ${readText(json, 'code')}: ${readText(json, 'error')}`)
    await delay(Number(answer.headers.get('retry-after') ?? 0) * 1_000 || WAIT_MS * 2 ** tries)
  }
}
