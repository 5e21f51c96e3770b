import type { PreparedTemplate } from '@vitrine/engine'

type Variant = { readonly base: string; accountId: string; readonly prepared: PreparedTemplate }

/** The share of the variants' memory that one account may use. */
const ACCOUNT_SHARE = 1 / 4

/**
 * Cached prepared templates in colours other than their own, limited in bytes. There are 16 million colours
 * to ask for, so each account has a limited share of the memory, and evicts its own variants first.
 */
export class ColorVariants {
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #variants = new Map<string, Variant>()
  #sizeBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Memory in addition to the templates that the variants are based on. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Finds a variant, which from then on counts for this account. */
  find(key: string, accountId: string): PreparedTemplate | undefined {
    const variant = this.#variants.get(key)
    if (variant === undefined) return undefined
    this.#variants.delete(key)
    this.#variants.set(key, { ...variant, accountId })
    return variant.prepared
  }

  /** @param base the key of the template that it shares memory with */
  add(key: string, base: string, accountId: string, prepared: PreparedTemplate): void {
    this.#dropBeyond(this.#maxBytes * ACCOUNT_SHARE - prepared.sizeBytes, variant => variant.accountId === accountId)
    this.#dropBeyond(this.#maxBytes - prepared.sizeBytes, () => true)
    // One that exceeds the share is retained until the next: else a batch would prepare it repeatedly.
    this.#variants.set(key, { base, accountId, prepared })
    this.#sizeBytes += prepared.sizeBytes
  }

  /** Evicts the variants of an evicted template, which would retain its memory. */
  dropOf(base: string): void {
    for (const [key, variant] of this.#variants) if (variant.base === base) this.#drop(key, variant)
  }

  #dropBeyond(maxBytes: number, isIncluded: (variant: Variant) => boolean): void {
    const included = [...this.#variants].filter(([, variant]) => isIncluded(variant))
    let sizeBytes = included.reduce((sum, [, { prepared }]) => sum + prepared.sizeBytes, 0)
    for (const [key, variant] of included) {
      if (sizeBytes <= maxBytes) return
      this.#drop(key, variant)
      sizeBytes -= variant.prepared.sizeBytes
    }
  }

  #drop(key: string, { prepared }: Variant): void {
    this.#variants.delete(key)
    this.#sizeBytes -= prepared.sizeBytes
  }
}
