import type { OutputFormat } from '@vitrine/contract'
import type { Template, Usage } from '../api-client/client.ts'

/** A template as assistants see it. */
export type ListedTemplate = Pick<
  Template,
  'id' | 'name' | 'category' | 'frame_count' | 'frames' | 'is_product_template'
> & {
  /** Names of the parts whose colour can be chosen. */
  readonly colors: readonly string[]
}

export type TemplateSearch = {
  readonly search?: string | undefined
  readonly type?: 'print' | 'product' | undefined
  readonly category?: string | undefined
  /** Counts from 1. */
  readonly page: number
}

export type TemplateList = { readonly templates: readonly ListedTemplate[]; readonly hasMore: boolean }

/** Templates per page of a list for assistants: a longer text would be a burden. */
export const TEMPLATES_PER_PAGE = 25

/** A readable file, or an http(s) URL. */
export type OrderedArtwork = { readonly file: string } | { readonly address: string }

/** An order for one mockup. */
export type MockupOrder = {
  readonly template: string
  /** One for all frames, or one for each in order. */
  readonly artworks: readonly OrderedArtwork[]
  readonly format: OutputFormat
  readonly width: number
  readonly placement: object | undefined
  readonly colors: Readonly<Record<string, string>> | undefined
  /** Equal for equal orders, so that a repeat is not charged. */
  readonly idempotencyKey: string
  /** Where to write the finished picture, unless its URL is all that the caller needs. */
  readonly toFile: string
  /** The maximum size of its preview, if the source makes one. */
  readonly previewBytesMax: number
}

export type MadeMockup = {
  readonly sizeBytes: number
  readonly creditsUsed: number
  /** Null if mockups are free. */
  readonly creditsRemaining: number | null
  readonly replayed: boolean
  /** Where it can be fetched without a key; null if it is only a file. */
  readonly url: string | null
  readonly urlExpiresAt: string | null
  /** A small JPEG; null if it is unavailable, undefined if this source makes none. */
  readonly preview?: Uint8Array | null
}

/** The backend of the assistants' tools: a service, or the engine of this machine. */
export type MockupSource = {
  /** The price of a mockup, for descriptions. */
  readonly cost: string
  listTemplates(search: TemplateSearch): Promise<TemplateList>
  /** The template and a JPEG of it; null if there is no such template. */
  showTemplate(id: string): Promise<{ readonly template: ListedTemplate; readonly picture: Uint8Array | null } | null>
  /** Writes a mockup to its file. @throws {Error} with a message for the assistant */
  make(order: MockupOrder): Promise<MadeMockup>
  /** Null if mockups are free. */
  readonly account: {
    balance(): Promise<{ readonly balance_credits: number; readonly balance_dollars: string }>
    usage(period: string | undefined): Promise<Usage>
  } | null
}
