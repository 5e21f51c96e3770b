import { buildLightTable, drawColorArea, type Rect, type RgbColor, type Tone, writeHexColor } from '@vitrine/engine'
import { findProductLight, type ProductChoice } from '../light/product-light.ts'
import type { FoundLight } from '../light/surface-light.ts'
import { requireProductRect } from '../masking/product-coverage.ts'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import type { LiveTones } from './live-tones.ts'

/** What is dyed of a photo, and the light on it. */
type KnownProduct = { readonly of: string; readonly mask: Uint8Array; readonly light: FoundLight }

/** A photo whose product has another colour, as if there were no frames: found once for each colour. */
export class LiveDye {
  readonly #photo: PhotoPixels
  readonly #tones: LiveTones
  #place: { readonly outline: Coverage; readonly rect: Rect } | null = null
  #product: KnownProduct | null = null
  #dyed: { readonly product: KnownProduct; readonly to: string; readonly data: Uint8Array } | null = null

  constructor(photo: PhotoPixels, tones: LiveTones) {
    this.#photo = photo
    this.#tones = tones
  }

  /** Where the product is. @throws PhotoRefusedError where the outline has nothing */
  rectOf(outline: Coverage): Rect {
    if (this.#place?.outline !== outline) {
      this.#place = { outline, rect: requireProductRect(outline) }
      this.#product = null
    }
    return this.#place.rect
  }

  /** RGB bytes of the photo, dyed. */
  draw(outline: Coverage, tone: Tone, choice: ProductChoice, to: RgbColor): Uint8Array {
    const region = this.rectOf(outline)
    const product = this.find(outline, tone, choice)
    const color = writeHexColor(to)
    if (this.#dyed?.product === product && this.#dyed.to === color) return this.#dyed.data
    const data = Uint8Array.from(this.#photo.data)
    const layers = { layerTable: buildLightTable(product.light.scale), ...product.light }
    drawColorArea(
      { alpha: 'opaque', ...this.#photo, data },
      {
        region,
        coverage: product.mask,
        framed: new Uint8Array(product.mask.length),
        light: { from: layers, to: layers },
        tone: this.#tones.tablesOf(tone),
        blendMode: 'normal',
        from: choice.color,
        to,
      },
    )
    this.#dyed = { product, to: color, data }
    return data
  }

  /** What any colour needs to know. */
  find(outline: Coverage, tone: Tone, choice: ProductChoice): KnownProduct {
    const rect = this.rectOf(outline)
    const of = JSON.stringify([choice, tone])
    if (this.#product?.of !== of) {
      const nothing = new Uint8Array(outline.data.length)
      this.#product = { of, ...findProductLight(this.#photo, outline, rect, nothing, tone, choice) }
    }
    return this.#product
  }
}
