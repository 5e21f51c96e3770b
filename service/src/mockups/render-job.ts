import type { OutputFormat, Placement } from '@vitrine/contract'
import type { Placement as EnginePlacement, PictureOutput } from '@vitrine/engine'
import type { PreparedFile, TemplateBundle } from '../templates/template-bundle.ts'
import type { FrameKey, FrameSlots } from './frame-key.ts'
import type { ChosenColors } from './request-artwork.ts'

/** An artwork file and its frame or slot; `null` for every frame. */
export type JobArtwork = {
  readonly frame: FrameKey | null
  readonly file: string
  /** See `ContentName`; null for a file without one. */
  readonly contentName: string | null
}

/** Fails to compile if the placements of the contract and the engine differ. */
export type JobPlacements = {
  readonly all: Same<Placement, EnginePlacement> | undefined
  readonly byFrame: readonly (readonly [frame: FrameKey, placement: Same<Placement, EnginePlacement>])[]
}

/** `never` if the two types differ. */
type Same<First, Second> = [First, Second] extends [Second, First] ? First : never

/** How to write the finished pictures. */
export type JobOutput = {
  /** Fails to compile if the formats of the contract and the engine differ. */
  readonly format: Same<OutputFormat, PictureOutput['format']>
  /** 1 to 100; ignored by a format without quality. */
  readonly quality: number
  readonly widthPx: number
  /** If set, a JPEG of at most this size is written beside each picture: see `previewFileOf`. */
  readonly previewBytesMax?: number
}

/** Where the preview of a mockup is, if one was asked for and fits. */
export const previewFileOf = (mockupFile: string): string => `${mockupFile}-preview`

/**
 * The same artwork in one or more templates, rendered by one process, which decodes it once. Templates with
 * the most frames come first: they use every artwork, so bad artwork is found before other work is done.
 */
export type RenderJob = {
  /** The owner of the artworks: decoded artworks are cached for later jobs of the same account only. */
  readonly accountId: string
  readonly mockups: readonly {
    readonly bundle: TemplateBundle
    readonly toFile: string
    /** The slots of its frames; missing if none has one. */
    readonly slots?: FrameSlots
    /** The cached prepared template. */
    readonly prepared?: PreparedFile | undefined
  }[]
  readonly artworks: readonly JobArtwork[]
  readonly placements: JobPlacements
  /** #rrggbb by area name; a template ignores unknown names. */
  readonly colors: ChosenColors
  readonly output: JobOutput
}

/** The cache key of a template prepared for a width. */
export function warmKey(bundle: TemplateBundle, widthPx: number): string {
  return `${bundle.key}/${widthPx}`
}
