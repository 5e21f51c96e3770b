import { randomBytes } from 'node:crypto'

/** The header of a request from within that names its order. A request from outside knows no token. */
export const PREVIEW_HEADER = 'x-vitrine-preview'

/**
 * A call of an assistant. It needs a preview of each mockup, its address and its size, and no bytes of it.
 */
export type PreviewOrder = Disposable & {
  readonly token: string
  /** The greatest size of a preview. */
  bytesMax: number
  /** The size of the last mockup that was made or found. */
  mockupBytes: number
}

/** Previews that a repeated call finds again: at 64 KiB each, 4 MiB. */
const RETAINED_MAX = 64

/**
 * Small pictures that assistants are shown of their mockups. The render process that has the picture makes
 * them, within the job that is paid for. A repeated call gets the one that was made, where it is retained.
 */
export class PreviewOrders {
  readonly #orders = new Map<string, PreviewOrder>()
  /** By the link of the answer, the latest last. */
  readonly #made = new Map<string, Uint8Array>()

  begin(): PreviewOrder {
    const token = randomBytes(24).toString('base64url')
    const order = { token, bytesMax: 0, mockupBytes: 0, [Symbol.dispose]: () => void this.#orders.delete(token) }
    this.#orders.set(token, order)
    return order
  }

  /** The order that a request is a part of; null for requests from outside. */
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
