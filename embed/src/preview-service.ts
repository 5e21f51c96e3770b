/** What the service tells a page with a publishable key about a template. */
import type { ColorArea, Colors, Frame } from './element-types.ts'

export type EmbeddedTemplate = {
  readonly id: string
  readonly name: string
  /** Absent from older services; then the picture fills its frame. */
  readonly type?: 'print' | 'product'
  /** width / height; unknown for some templates until they are drawn */
  readonly ratio?: number
  readonly frames: readonly Frame[]
  readonly colors: readonly ColorArea[]
  readonly bundle: { readonly url: string; readonly width: number }
}

/** An error that a shop's page can show or log. `code` is the service's or an `ErrorCode`. */
export class EmbedError extends Error {
  override readonly name = 'EmbedError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** @throws EmbedError with the service's code, or PREVIEW_NOT_LOADED if it cannot be reached */
export async function loadTemplate(
  service: string,
  { template, key }: { readonly template: string; readonly key: string },
  signal: AbortSignal,
): Promise<EmbeddedTemplate> {
  const url = `${service}/embed/v1/templates/${encodeURIComponent(template)}?key=${encodeURIComponent(key)}`
  const response = await fetch(url, { signal, credentials: 'omit' }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new EmbedError('PREVIEW_NOT_LOADED', 'The preview service could not be reached.')
  })
  const body: unknown = await response.json().catch(() => null)
  // The service's own answer; its tests compare it with this type.
  if (response.ok && isRecord(body)) return body as unknown as EmbeddedTemplate
  const { code, error } = isRecord(body) ? body : {}
  if (typeof code === 'string' && typeof error === 'string') throw new EmbedError(code, error)
  throw new EmbedError('PREVIEW_NOT_LOADED', `The preview service answered with ${response.status}.`)
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The colours for areas that the template has. */
export const knownColors = (colors: Colors, areas: readonly ColorArea[]): Colors =>
  Object.fromEntries(
    areas.flatMap(({ name, default: color }) => {
      const chosen = colors[name]?.toLowerCase()
      return chosen === undefined || chosen === color ? [] : [[name, chosen] as const]
    }),
  )
