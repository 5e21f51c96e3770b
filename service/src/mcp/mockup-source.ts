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
  /** From 1. */
  readonly page: number
}

export type TemplateList = { readonly templates: readonly ListedTemplate[]; readonly hasMore: boolean }

/** Templates that an assistant is shown at a time: more text than that is in its way. */
export const TEMPLATES_PER_PAGE = 25

/** A file that may be read, or an http(s) address. */
export type OrderedArtwork = { readonly file: string } | { readonly address: string }

/** One mockup to be made. */
export type MockupOrder = {
  readonly template: string
  /** One for all frames, or one for each in order. */
  readonly artworks: readonly OrderedArtwork[]
  readonly format: 'jpeg' | 'png'
  readonly width: number
  readonly placement: object | undefined
  readonly colors: Readonly<Record<string, string>> | undefined
  /** The same for the same order, so that a repeat is not charged. */
  readonly idempotencyKey: string
  /** Where the finished picture is written, unless its address is all that the caller needs. */
  readonly toFile: string
  /** The greatest size of its preview, where the source makes one. */
  readonly previewBytesMax: number
}

export type MadeMockup = {
  readonly sizeBytes: number
  readonly creditsUsed: number
  /** Null where mockups cost nothing. */
  readonly creditsRemaining: number | null
  readonly replayed: boolean
  /** Where it can be fetched without a key; null where it is a file alone. */
  readonly url: string | null
  readonly urlExpiresAt: string | null
  /** A small JPEG; null where there is none now, undefined where this source makes none. */
  readonly preview?: Uint8Array | null
}

/** What the tools of assistants work with: a service, or the engine of this machine. */
export type MockupSource = {
  /** What a mockup costs, as descriptions say it. */
  readonly cost: string
  listTemplates(search: TemplateSearch): Promise<TemplateList>
  /** The template and a JPEG of it; null where there is none. */
  showTemplate(id: string): Promise<{ readonly template: ListedTemplate; readonly picture: Uint8Array | null } | null>
  /** Writes a mockup into its file. @throws {Error} with a message for the assistant */
  make(order: MockupOrder): Promise<MadeMockup>
  /** Null where mockups cost nothing. */
  readonly account: {
    balance(): Promise<{ readonly balance_credits: number; readonly balance_dollars: string }>
    usage(period: string | undefined): Promise<Usage>
  } | null
}
