/** A template as pages draw it. */
import {
  type BundleFiles,
  type Drawer,
  type ImageCodec,
  type OpaquePixmap,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'
import { composeLive, type FrameArtwork } from './compose-live.ts'
import { type FramePlane, framePlanes } from './frame-plane.ts'

type Files = Pick<BundleFiles, 'read'>

type LivePicture = {
  readonly prepared: PreparedTemplate
  readonly picture: OpaquePixmap
  readonly planes: readonly FramePlane[]
}

/** A template prepared for one width, in the colours requested last, with its last picture. */
export class LiveScene {
  readonly #base: PreparedTemplate
  readonly #template: Template
  readonly #files: Files
  readonly #codec: ImageCodec
  readonly #kernel: Drawer | null
  /** Drawn over if the next picture is of the same prepared template, whose planes are reused too. */
  #last: LivePicture | null = null
  #colored: { readonly colors: string; readonly prepared: Promise<PreparedTemplate> } | null = null

  private constructor(
    base: PreparedTemplate,
    template: Template,
    files: Files,
    codec: ImageCodec,
    kernel: Drawer | null,
  ) {
    this.#base = base
    this.#template = template
    this.#files = files
    this.#codec = codec
    this.#kernel = kernel
  }

  /** @throws BundleError, and errors of reading and decoding */
  static async open(files: Files, widthPx: number, codec: ImageCodec, kernel: Drawer | null): Promise<LiveScene> {
    const manifest: unknown = JSON.parse(new TextDecoder().decode(await files.read('template.json')))
    const template = parseTemplate(manifest)
    const base = await prepareTemplate(template, files, widthPx, codec, kernel)
    return new LiveScene(base, template, files, codec, kernel)
  }

  /** Memory that it holds in its default colours, in bytes. */
  get sizeBytes(): number {
    return this.#base.sizeBytes
  }

  /** Draws the newest picture over the previous one. `artworkOf`: by frame. */
  async draw(
    colors: Readonly<Record<string, string>>,
    artworkOf: (frame: number) => FrameArtwork,
  ): Promise<LivePicture> {
    const prepared = await this.inColors(colors)
    const last = this.#last?.prepared === prepared ? this.#last : null
    const picture = composeLive(prepared, artworkOf, this.#kernel, last?.picture ?? null)
    this.#last = { prepared, picture, planes: last?.planes ?? framePlanes(prepared) }
    return this.#last
  }

  /** `colors`: #rrggbb by the names of areas. */
  inColors(colors: Readonly<Record<string, string>>): Promise<PreparedTemplate> {
    const chosen = JSON.stringify(colors)
    if (this.#colored?.colors !== chosen) {
      const byArea = new Map(Object.entries(colors))
      const prepared = recolorTemplate(this.#base, this.#template, this.#files, byArea, this.#codec, this.#kernel)
      this.#colored = { colors: chosen, prepared }
      prepared.catch(() => {
        this.#colored = null
      })
    }
    return this.#colored.prepared
  }
}
