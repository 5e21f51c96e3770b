import {
  type BundleFiles,
  openPack,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'
import type { ProductColors } from '../coloring/product-colors.ts'
import { browserCodec } from './browser-codec.ts'

type Files = Pick<BundleFiles, 'read'>

/** The files of a template at the service. The browser may keep these: they never change. */
export function servedFiles(folder: string): Files {
  return {
    async read(path) {
      const response = await fetch(`${folder}/${path.split('/').map(encodeURIComponent).join('/')}`, {
        credentials: 'same-origin',
      })
      if (!response.ok) throw new Error(`The template's file ${path} could not be loaded (${response.status}).`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

/** The files of a preview pack, in one request. The browser may keep it: it never changes. */
export async function servedPack(path: string): Promise<Files> {
  const response = await fetch(path, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`The template's preview could not be loaded (${response.status}).`)
  return openPack(new Uint8Array(await response.arrayBuffer()))
}

/** A template that is prepared for one width, and in the colours that were asked for last. */
export class PreviewTemplate {
  readonly #base: PreparedTemplate
  readonly #template: Template
  readonly #files: Files
  #colored: { readonly colors: string; readonly prepared: Promise<PreparedTemplate> } | null = null

  private constructor(base: PreparedTemplate, template: Template, files: Files) {
    this.#base = base
    this.#template = template
    this.#files = files
  }

  /** @throws BundleError, and what reading and decoding throw */
  static async open(files: Files, widthPx: number): Promise<PreviewTemplate> {
    const manifest: unknown = JSON.parse(new TextDecoder().decode(await files.read('template.json')))
    const template = parseTemplate(manifest)
    return new PreviewTemplate(await prepareTemplate(template, files, widthPx, browserCodec), template, files)
  }

  /** Memory that it holds in its own colours, in bytes. */
  get sizeBytes(): number {
    return this.#base.sizeBytes
  }

  inColors(colors: ProductColors): Promise<PreparedTemplate> {
    const chosen = JSON.stringify(colors)
    if (this.#colored?.colors !== chosen) {
      const byArea = new Map(Object.entries(colors))
      const prepared = recolorTemplate(this.#base, this.#template, this.#files, byArea, browserCodec)
      this.#colored = { colors: chosen, prepared }
      prepared.catch(() => {
        this.#colored = null
      })
    }
    return this.#colored.prepared
  }
}
