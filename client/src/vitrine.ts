import { type Artwork, buildBody } from './artwork.ts'
import { VitrineError } from './errors.ts'
import { type Batch, fromBase64, Mockup, readCharge, toDate } from './mockup.ts'
import { type Call, readJson, type Settings, send } from './send.ts'
import { schemeAdvice } from './service-address.ts'
import type {
  Balance,
  CallOptions,
  GenerateBatchOptions,
  GenerateOptions,
  PaidCallOptions,
  ShownArtwork,
  Template,
  TemplatesOptions,
  Usage,
  UsageOptions,
} from './types.ts'

export type VitrineOptions = {
  /** Default: VITRINE_API_KEY from the environment. */
  readonly apiKey?: string | undefined
  /** The service's address, such as https://mockups.example.com. Default: VITRINE_URL. */
  readonly baseUrl?: string | URL | undefined
  /** Attempts after the first one. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Timeout of each attempt in milliseconds. Default: 30,000; the service answers within 28 seconds. */
  readonly timeoutMs?: number | undefined
  /** Sends the requests instead of the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

const MAX_RETRIES = 2
const TIMEOUT_MS = 30_000
const PAGE_SIZE = 100

/** The service deletes answers of keys with this prefix before those of keys chosen by a caller. */
const MADE_KEY_PREFIX = 'auto-'

/** Generates an idempotency key for one call. */
export const makeKey = (): string => `${MADE_KEY_PREFIX}${crypto.randomUUID()}`

/** The mockups in the service's answer to a batch. */
type BatchBody = {
  readonly results: readonly {
    readonly template_id: string
    readonly image: string
    readonly content_type: string
    readonly url?: string
    readonly url_expires_at?: string
    readonly artwork: readonly ShownArtwork[]
  }[]
  readonly duration_ms: number
}

type TemplatePage = { readonly templates: readonly Template[]; readonly pagination: { readonly total_pages: number } }

type Environment = { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } }

function fromEnvironment(name: string): string {
  const { process }: Environment = globalThis
  const value = process?.env?.[name]
  if (value === undefined || value === '') throw new TypeError(`Expected ${name} in the environment, or as an option`)
  return value
}

/** A mockup service, used as one of its accounts. */
export class Vitrine {
  readonly #settings: Settings
  readonly #limits: { readonly timeoutMs: number; readonly maxRetries: number }

  /** @throws {TypeError} if the key or the address is missing */
  constructor(options: VitrineOptions = {}) {
    const baseUrl = String(options.baseUrl ?? fromEnvironment('VITRINE_URL')).replace(/\/+$/, '')
    // A path is relative to the page that the program runs in.
    if (!/^(?:https?:\/\/|\/(?!\/))/i.test(baseUrl))
      throw new TypeError(
        `Expected the address of the service, with https:// or http://, but received ${JSON.stringify(baseUrl)}${schemeAdvice(baseUrl)}`,
      )
    this.#settings = {
      apiKey: options.apiKey ?? fromEnvironment('VITRINE_API_KEY'),
      baseUrl: baseUrl.endsWith('/api/v1') ? baseUrl : `${baseUrl}/api/v1`,
      // Looked up for each request, and called without `this`: platforms reject another `this`.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    }
    this.#limits = { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxRetries: options.maxRetries ?? MAX_RETRIES }
  }

  /**
   * Renders artwork in a template. Costs a credit; an error costs nothing.
   *
   * @throws {VitrineError}
   */
  generate({ template, ...rest }: GenerateOptions): Promise<Mockup> {
    return this.#generate(
      { template_id: template },
      rest,
      async (answer, key) => new Mockup(answer, readCharge(answer, key)),
    )
  }

  /**
   * Renders artwork in up to twelve templates. Costs a credit each; an error costs nothing.
   *
   * @throws {VitrineError}
   */
  generateBatch({ templates, ...rest }: GenerateBatchOptions): Promise<Batch> {
    const fields = { template_ids: templates, response_format: 'json' }
    return this.#generate(fields, rest, async (answer, key) => {
      const { results, duration_ms } = await readBody<BatchBody>(answer, 'results')
      return {
        ...readCharge(answer, key),
        durationMs: duration_ms,
        mockups: results.map(({ template_id, image, content_type, url, url_expires_at, artwork }) => ({
          template: template_id,
          contentType: content_type,
          bytes: fromBase64(image),
          url: url ?? null,
          urlExpiresAt: toDate(url_expires_at),
          artwork,
        })),
      }
    })
  }

  /** All templates that the account may use, fetched page by page. @throws {VitrineError} */
  async *templates({ type, category, search, ...options }: TemplatesOptions = {}): AsyncGenerator<Template, void> {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = withQuery('/templates', { type, category, search, page, limit: PAGE_SIZE })
      const read = (answer: Response) => readBody<TemplatePage>(answer, 'templates')
      const { templates, pagination } = await this.#send({ method: 'GET', path, read }, options)
      yield* templates
      pages = pagination.total_pages
    }
  }

  /** The account's spendable credits. @throws {VitrineError} */
  balance(options: CallOptions = {}): Promise<Balance> {
    const read = (answer: Response) => readBody<Balance>(answer, 'balance_credits')
    return this.#send({ method: 'GET', path: '/billing/balance', read }, options)
  }

  /** Usage in recent days. @throws {VitrineError} */
  usage({ period, scope, ...options }: UsageOptions = {}): Promise<Usage> {
    const path = withQuery('/billing/usage', { period, scope })
    return this.#send({ method: 'GET', path, read: answer => readBody<Usage>(answer, 'total_requests') }, options)
  }

  /** Sends a paid call with one key for all its attempts, so that it is charged once. */
  async #generate<Result>(
    fields: Readonly<Record<string, unknown>>,
    {
      artwork,
      idempotencyKey,
      signal,
      timeoutMs,
      maxRetries,
      ...output
    }: PaidCallOptions & { readonly artwork: Artwork },
    read: (answer: Response, key: string | null) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const key = idempotencyKey === false ? null : (idempotencyKey ?? makeKey())
    const { content, type } = await buildBody({ ...fields, ...output }, artwork)
    const headers = {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    }
    const path = '/mockups/generate'
    const call = {
      method: 'POST',
      path,
      headers,
      body: content,
      read: (answer: Response) => read(answer, key),
    } as const
    return this.#send(call, { signal, timeoutMs, maxRetries })
  }

  #send<Result>(
    call: Omit<Call<Result>, keyof CallOptions>,
    { signal, timeoutMs = this.#limits.timeoutMs, maxRetries = this.#limits.maxRetries }: CallOptions,
  ): Promise<Result> {
    return send(this.#settings, { ...call, signal, timeoutMs, maxRetries })
  }
}

function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}

/** The JSON of an answer, which must have the field that distinguishes it from other JSON. */
async function readBody<Body extends object>(answer: Response, field: keyof Body & string): Promise<Body> {
  const body = await readJson(answer)
  // Guaranteed by the service's contract; a test compares these types with its schemas.
  if (Object.hasOwn(body, field)) return body as Body
  throw new VitrineError({
    code: 'UNEXPECTED_RESPONSE',
    message: `Expected ${field} in the answer of the service but received other JSON.`,
    status: answer.status,
  })
}
