/** Customers of all kinds at once, who note every answer that is not what the interface promises. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { batchResult } from '@vitrine/contract'
import { type ChaosAccount, type ChaosArtwork, type ChaosWorld, sha256, WIDTH_PX } from './chaos-setup.ts'

/** Longer than any answer may take. */
const GIVE_UP_MS = 45_000

/** Requests under way. */
const LOOPS = 6

/** Between two requests of a loop. */
const PAUSE_MS = 60

/** A dead node's Idempotency-Key answers 409 for up to 45 s, and every outage ends before. */
const KEYED_ATTEMPTS_MS = 75_000

export type Noted = { readonly phase: string; readonly status: number; readonly durationMs: number }

type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** Whether the service said what became of it: the proxy does not know, and a broken connection neither. */
  readonly isFromService: boolean
}

type Kind = { readonly name: string; readonly statuses: readonly number[]; readonly send: Send }
type Send = (turn: number) => Promise<void>

/** What an account's customers know of its credits. */
export type Bill = { acknowledged: number; unknown: number }

export class ChaosCustomers {
  readonly #url: string
  readonly #world: ChaosWorld
  readonly noted: Noted[] = []
  /** Everything that is wrong, in sentences. */
  readonly faults: string[] = []
  readonly bills = new Map<string, Bill>()
  readonly #kinds: readonly Kind[]
  readonly #stopped = new AbortController()
  readonly #underWay = new Set<Promise<Answer>>()
  /** What happens to the cluster now. */
  phase = 'calm'
  replayCount = 0
  pictureCount = 0
  #turn = 0

  constructor(url: string, world: ChaosWorld) {
    this.#url = url
    this.#world = world
    const kind = (name: string, statuses: readonly number[], send: Send): Kind => ({ name, statuses, send })
    this.#kinds = [
      kind('JSON', [200], turn => this.#generateJson(turn)),
      kind('templates', [200], turn => this.#read(turn, '/templates?limit=2')),
      kind('form', [200], turn => this.#generateForm(turn)),
      kind('keyed', [200, 409], turn => this.#generateKeyed(turn)),
      kind('balance', [200], turn => this.#read(turn, '/billing/balance')),
      kind('batch', [200], turn => this.#generateBatch(turn)),
      kind('unknown template', [404], turn => this.#generateUnknown(turn)),
      kind('JSON again', [200], turn => this.#generateJson(turn + 1)),
      kind('usage', [200], turn => this.#read(turn, '/billing/usage')),
      kind('without credits', [200, 402], turn => this.#generatePoor(turn)),
    ]
  }

  /** Sends requests until `stop`. */
  async run(): Promise<void> {
    const loop = async () => {
      while (!this.#stopped.signal.aborted) {
        const turn = this.#turn++
        const kind = this.#kinds[turn % this.#kinds.length]
        await kind?.send(Math.floor(turn / this.#kinds.length))
        await delay(PAUSE_MS)
      }
    }
    await Promise.all(Array.from({ length: LOOPS }, loop))
  }

  /** Waits for the requests that are under way now. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Asks with a key that was never used, and returns how many requests were let through. */
  async probeLimit(key: string, requestCount: number): Promise<number> {
    const ask = () => this.#send('limit', [200], '/billing/balance', { headers: { Authorization: `Bearer ${key}` } })
    let [left, passed] = [requestCount, 0]
    const loop = async () => {
      while (left-- > 0) if ((await ask()).status === 200) passed += 1
    }
    await Promise.all(Array.from({ length: 8 }, loop))
    return passed
  }

  async #read(turn: number, path: string): Promise<void> {
    const { key } = this.#customer(turn)
    await this.#send(path, [200], path, { headers: { Authorization: `Bearer ${key}` } })
  }

  async #generateJson(turn: number): Promise<void> {
    const { account, key, templateId, artwork } = this.#customer(turn)
    const body = { template_id: templateId, artwork_url: artwork.url, width: WIDTH_PX }
    const answer = await this.#generate('JSON', [200], key, body)
    this.#bill(account, answer, 1)
    if (answer.status === 200) this.#look('JSON', templateId, artwork, answer.bytes)
  }

  async #generateForm(turn: number): Promise<void> {
    const { account, key, templateId, artwork } = this.#customer(turn)
    const form = new FormData()
    form.set('template_id', templateId)
    form.set('width', String(WIDTH_PX))
    form.set('artwork', new Blob([artwork.bytes]), 'artwork.png')
    const answer = await this.#generate('form', [200], key, form)
    this.#bill(account, answer, 1)
    if (answer.status === 200) this.#look('form', templateId, artwork, answer.bytes)
  }

  async #generateBatch(turn: number): Promise<void> {
    const { account, key, artwork } = this.#customer(turn)
    const { templateIds } = this.#world
    const body = { template_ids: templateIds, artwork_url: artwork.url, width: WIDTH_PX, response_format: 'json' }
    const answer = await this.#generate('batch', [200], key, body)
    this.#bill(account, answer, templateIds.length)
    if (answer.status !== 200) return
    const { results } = batchResult.parse(JSON.parse(new TextDecoder().decode(answer.bytes)))
    for (const { template_id, image } of results)
      this.#look('batch', template_id, artwork, Buffer.from(image, 'base64'))
  }

  /** As a careful customer does: the same key until there is an answer, and once more afterwards. */
  async #generateKeyed(turn: number): Promise<void> {
    const { account, key, templateId, artwork } = this.#customer(turn)
    const body = { template_id: templateId, artwork_url: artwork.url, width: WIDTH_PX }
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () => this.#generate('keyed', [200, 409], key, body, headers)
    const untilMs = performance.now() + KEYED_ATTEMPTS_MS
    let first = await send()
    while (first.status !== 200 && performance.now() < untilMs && !this.#stopped.signal.aborted) {
      await delay(500)
      first = await send()
    }
    // It was charged once or not at all: which of them is not known without an answer.
    if (first.status !== 200) this.#billOf(account).unknown += 1
    if (first.status !== 200) return
    this.#billOf(account).acknowledged += 1
    this.#look('keyed', templateId, artwork, first.bytes)
    const again = await send()
    if (again.status !== 200) return
    this.replayCount += 1
    if (again.headers.get('idempotency-replayed') !== 'true') this.#fault('keyed: the second answer is no replay')
    if (sha256(again.bytes) !== sha256(first.bytes)) this.#fault('keyed: the replay differs from the first answer')
  }

  async #generateUnknown(turn: number): Promise<void> {
    const { key, artwork } = this.#customer(turn)
    await this.#generate('unknown template', [404], key, { template_id: 'no-such', artwork_url: artwork.url })
  }

  async #generatePoor(turn: number): Promise<void> {
    const { poor } = this.#world
    const { templateId, artwork } = this.#customer(turn)
    const key = poor.keys[turn % poor.keys.length] ?? ''
    const body = { template_id: templateId, artwork_url: artwork.url, width: WIDTH_PX }
    const answer = await this.#generate('without credits', [200, 402], key, body)
    this.#bill(poor, answer, 1)
    if (answer.status === 200) this.#look('without credits', templateId, artwork, answer.bytes)
  }

  #generate(
    kind: string,
    statuses: readonly number[],
    key: string,
    body: FormData | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData
    return this.#send(kind, statuses, '/mockups/generate', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: isForm ? body : JSON.stringify(body),
    })
  }

  async #send(kind: string, statuses: readonly number[], path: string, init: RequestInit): Promise<Answer> {
    const { phase } = this
    const startedMs = performance.now()
    const fetching = this.#fetch(path, init)
    this.#underWay.add(fetching)
    const answer = await fetching
    this.#underWay.delete(fetching)
    const durationMs = performance.now() - startedMs
    const { status, bytes } = answer
    this.noted.push({ phase, status, durationMs })
    const text = () => new TextDecoder().decode(bytes).slice(0, 300)
    // A connection that breaks because its node was killed is the one answer that nobody can give.
    const isKilling = phase.startsWith('kill') || this.phase.startsWith('kill')
    const isExpected = [...statuses, 429, 503].includes(status) || (status === 0 && isKilling)
    if (!isExpected) this.#fault(`${kind} while ${phase}: ${status} ${text()}`)
    if (durationMs > 30_000) this.#fault(`${kind} while ${phase}: ${status} after ${(durationMs / 1000).toFixed(1)} s`)
    if (status >= 400 && !text().startsWith('{"error":')) this.#fault(`${kind} while ${phase}: not in JSON: ${text()}`)
    if (status === 503 && answer.headers.get('retry-after') === null)
      this.#fault(`${kind} while ${phase}: 503 without Retry-After`)
    return answer
  }

  async #fetch(path: string, init: RequestInit): Promise<Answer> {
    try {
      const answer = await fetch(`${this.#url}/api/v1${path}`, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const isFromService = answer.headers.get('x-answered-by') === null
      return { status: answer.status, headers: answer.headers, bytes, isFromService }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      const bytes = new TextEncoder().encode(`${String(error)} ${cause}`)
      return { status: 0, headers: new Headers(), bytes, isFromService: false }
    }
  }

  #look(kind: string, templateId: string, artwork: ChaosArtwork, bytes: Uint8Array): void {
    this.pictureCount += 1
    if (sha256(bytes) !== this.#world.expected(templateId, artwork))
      this.#fault(`${kind} while ${this.phase}: a wrong picture of ${templateId}, ${bytes.length} bytes`)
  }

  #bill(account: ChaosAccount, { status, isFromService }: Answer, credits: number): void {
    if (status === 200) this.#billOf(account).acknowledged += credits
    else if (!isFromService) this.#billOf(account).unknown += credits
  }

  #billOf({ accountId }: ChaosAccount): Bill {
    const bill = this.bills.get(accountId) ?? { acknowledged: 0, unknown: 0 }
    this.bills.set(accountId, bill)
    return bill
  }

  #customer(turn: number) {
    const { accounts, templateIds, artworks } = this.#world
    const account = pick(accounts, turn)
    const key = pick(account.keys, Math.floor(turn / accounts.length))
    return { account, key, templateId: pick(templateIds, turn), artwork: pick(artworks, turn >> 1) }
  }

  #fault(sentence: string): void {
    this.faults.push(sentence)
  }
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('Expected a list that is not empty')
  return item
}
