/** The element's public types. The package's declarations import no other package. */
import type { PlacementFields } from './placement-fields.ts'
import type { Texts } from './texts.ts'

export type { PlacementFields } from './placement-fields.ts'

/** A file, bytes, or an address that the page may read. */
export type ArtworkSource = Blob | Uint8Array | string | URL

/** #rrggbb by the names of the product's colour areas. */
export type Colors = Readonly<Record<string, string>>

/**
 * What a form submits, as JSON: fields of a request to `generate`, and the SHA-256 of the pictures' files in
 * hexadecimal. Null: there is no picture.
 */
export type MockupValue = {
  readonly template_id: string
  readonly placement?: PlacementFields
  /** By frame or slot, as in a request. */
  readonly placements?: Readonly<Record<string, PlacementFields>>
  readonly colors?: Colors
  /** The hash of the single picture in all frames. */
  readonly artwork_sha256?: string | null
  /** By frame, if there are several pictures. */
  readonly artworks_sha256?: Readonly<Record<string, string | null>>
}

/** A frame as the service describes it. Frames of the same slot show the same design. */
export type Frame = { readonly index: number; readonly aspect_ratio: number; readonly slot?: string }

export type ColorArea = {
  readonly name: string
  readonly default: string
  readonly suggestions: readonly { readonly name: string; readonly value: string }[]
}

/** Sent when the first preview is shown. */
export type ReadyDetail = {
  readonly template: {
    readonly id: string
    readonly name: string
    readonly frames: readonly Frame[]
    readonly colors: readonly ColorArea[]
  }
  readonly width: number
  readonly height: number
}

/** The properties and methods of `<vitrine-mockup>`, documented in docs/embed.md. */
export type MockupMembers = {
  artwork: ArtworkSource | null
  get artworks(): Readonly<Record<string, ArtworkSource>>
  set artworks(artworks: Readonly<Record<string, ArtworkSource | null>>)
  placement: PlacementFields
  placements: Readonly<Record<string, PlacementFields>>
  colors: Colors
  set texts(changed: Partial<Texts>)
  readonly value: MockupValue
  readonly form: HTMLFormElement | null
  reset(): void
  toBlob(type?: string, quality?: number): Promise<Blob>
}

declare global {
  interface HTMLElementTagNameMap {
    'vitrine-mockup': HTMLElement & MockupMembers
  }

  interface HTMLElementEventMap {
    'vitrine-ready': CustomEvent<ReadyDetail>
    'vitrine-change': CustomEvent<MockupValue>
    'vitrine-error': CustomEvent<{ readonly code: string; readonly message: string }>
  }
}
