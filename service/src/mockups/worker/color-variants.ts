import type { PreparedTemplate } from '@vitrine/engine'

type Variant = { readonly base: string; accountId: string; readonly prepared: PreparedTemplate }

/** Of the variants' memory that those of one account may take. */
const ACCOUNT_SHARE = 1 / 4

/**
 * Prepared templates in other colours than their own, bounded in bytes. Everybody may ask for 16 million
 * colours, so the variants of one account take a part of the memory at most, and drop its own ones first.
 */
export class ColorVariants {
  readonly #maxBytes: number
  /** Least recently used first. */
  readonly #variants = new Map<string, Variant>()
  #sizeBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** What they hold beside the templates that they are variants of. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** A variant counts for the account that used it last. */
  find(key: string, accountId: string): PreparedTemplate | undefined {
    const variant = this.#variants.get(key)
    if (variant === undefined) return undefined
    this.#variants.delete(key)
    this.#variants.set(key, { ...variant, accountId })
    return variant.prepared
  }

  /** @param base names the template that it shares memory with */
  keep(key: string, base: string, accountId: string, prepared: PreparedTemplate): void {
    this.#dropBeyond(this.#maxBytes * ACCOUNT_SHARE - prepared.sizeBytes, variant => variant.accountId === accountId)
    this.#dropBeyond(this.#maxBytes - prepared.sizeBytes, () => true)
    // One that alone takes more than the share is kept until the next: a batch would make it over and over.
    this.#variants.set(key, { base, accountId, prepared })
    this.#sizeBytes += prepared.sizeBytes
  }

  /** Drops the variants of a template that is dropped: they would keep its memory. */
  dropOf(base: string): void {
    for (const [key, variant] of this.#variants) if (variant.base === base) this.#drop(key, variant)
  }

  #dropBeyond(maxBytes: number, isMeant: (variant: Variant) => boolean): void {
    const meant = [...this.#variants].filter(([, variant]) => isMeant(variant))
    let sizeBytes = meant.reduce((sum, [, { prepared }]) => sum + prepared.sizeBytes, 0)
    for (const [key, variant] of meant) {
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
