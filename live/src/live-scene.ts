/** A template as previews are drawn from it. */
import {
  type BundleFiles,
  type Drawer,
  type ImageCodec,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'

type Files = Pick<BundleFiles, 'read'>

/** A template that is prepared for one width, and in the colours that were asked for last. */
export class PreviewTemplate {
  readonly #base: PreparedTemplate
  readonly #template: Template
  readonly #files: Files
  readonly #codec: ImageCodec
  readonly #kernel: Drawer | null
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

  /** @throws BundleError, and what reading and decoding throw */
  static async open(files: Files, widthPx: number, codec: ImageCodec, kernel: Drawer | null): Promise<PreviewTemplate> {
    const manifest: unknown = JSON.parse(new TextDecoder().decode(await files.read('template.json')))
    const template = parseTemplate(manifest)
    const base = await prepareTemplate(template, files, widthPx, codec, kernel)
    return new PreviewTemplate(base, template, files, codec, kernel)
  }

  /** Memory that it holds in its own colours, in bytes. */
  get sizeBytes(): number {
    return this.#base.sizeBytes
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
