import { randomBytes } from 'node:crypto'

/** The header in which an internal request names its preview order. External requests cannot know a token. */
export const PREVIEW_HEADER = 'x-vitrine-preview'

/** An assistant's request for previews: it needs a preview, URL and size of each mockup, not its bytes. */
export type PreviewOrder = Disposable & {
  readonly token: string
  /** The maximum size of a preview, in bytes. */
  bytesMax: number
  /** The size of the last mockup that was rendered or found, in bytes. */
  mockupBytes: number
}

/** Previews retained for repeated calls: at 64 KiB each, 4 MiB. */
const RETAINED_MAX = 64

/**
 * Small previews of mockups for assistants. The render process makes them from the finished picture, as part
 * of the paid job. A repeated call gets the retained preview if there is one.
 */
export class PreviewOrders {
  readonly #orders = new Map<string, PreviewOrder>()
  /** By the answer's link, the latest last. */
  readonly #made = new Map<string, Uint8Array>()

  begin(): PreviewOrder {
    const token = randomBytes(24).toString('base64url')
    const order = { token, bytesMax: 0, mockupBytes: 0, [Symbol.dispose]: () => void this.#orders.delete(token) }
    this.#orders.set(token, order)
    return order
  }

  /** The order that a request belongs to; null for external requests. */
  orderOf(token: string | readonly string[] | undefined): PreviewOrder | null {
    return typeof token === 'string' ? (this.#orders.get(token) ?? null) : null
  }

  retain(linkId: string, preview: Uint8Array): void {
    this.#made.set(linkId, preview)
    const [oldest] = this.#made.keys()
    if (this.#made.size > RETAINED_MAX && oldest !== undefined) this.#made.delete(oldest)
  }

  previewOf(linkId: string): Uint8Array | null {
    return this.#made.get(linkId) ?? null
  }
}
