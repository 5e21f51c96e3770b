import { readFile } from 'node:fs/promises'
import type { OutputFormat } from '@vitrine/contract'
import {
  ArtworkError,
  BundleError,
  type BundleFiles,
  type ChosenColors,
  centredCover,
  checkBundle,
  type Mockup,
  type Placement,
  type Placements,
  prepareTemplate,
  proposePlacement,
  recolorTemplate,
  type Template,
} from '@vitrine/engine'
import { createFrameKernel, createRenderer, createSharpCodec } from '@vitrine/engine/node'
import { OperatorError } from '../errors/operator-error.ts'
import { findClearParts } from './clear-parts.ts'

/** One picture for all frames, or one for each. */
type Pictures = { readonly bytes: Uint8Array } | ReadonlyMap<number, { readonly bytes: Uint8Array }>

type Wanted = {
  /** One file for all frames, or one for each in order. */
  readonly artworks: readonly string[]
  readonly placements: (template: Template, artworks: Pictures) => Placements | Promise<Placements>
  readonly colors: (template: Template) => ChosenColors
  readonly output: { readonly format: OutputFormat; readonly quality: number; readonly widthPx: number }
  readonly onProgress?: (what: string) => void
}

/**
 * Renders one mockup in this process, without a server and without credits.
 *
 * @throws {OperatorError} if the artwork cannot be used
 * @throws {BundleError}
 */
export async function renderHere(
  files: BundleFiles,
  { artworks, placements, colors, output, onProgress = () => undefined }: Wanted,
): Promise<Mockup & { readonly templateId: string }> {
  const codec = createSharpCodec()
  const { template, faults } = await checkBundle(files, codec)
  if (template === null) throw new BundleError(faults)
  const pictures = await readArtworks(artworks, template)
  const chosen = { placements: await placements(template, pictures), colors: colors(template) }
  onProgress(`preparing ${template.id} for ${output.widthPx} px`)
  const kernel = createFrameKernel()
  const base = await prepareTemplate(template, files, output.widthPx, codec, kernel)
  const prepared = await recolorTemplate(base, template, files, chosen.colors, codec, kernel)
  onProgress('rendering')
  const job = { prepared, artworks: pictures, placements: chosen.placements, output }
  const mockup = await createRenderer(kernel)
    .render(job, codec)
    .catch((error: unknown) => {
      if (!(error instanceof ArtworkError)) throw error
      throw new OperatorError(`The artwork cannot be used: ${error.advice}`, { cause: error })
    })
  return { ...mockup, templateId: template.id }
}

/**
 * The default placements: a logo on a product is shown whole, and anything else is placed as in a request
 * without a placement.
 */
export async function proposePlacements({ type }: Template, artworks: Pictures): Promise<Placements> {
  const proposed = proposePlacement(type === 'product')
  if (proposed === null) return {}
  const placement = { ...centredCover, ...proposed }
  const codec = createSharpCodec()
  if ('bytes' in artworks) return (await findClearParts(artworks.bytes, codec)) ? { all: placement } : {}
  const byFrame = new Map<number, Placement>()
  for (const [frame, { bytes }] of artworks) if (await findClearParts(bytes, codec)) byFrame.set(frame, placement)
  return { byFrame }
}

async function readArtworks(files: readonly string[], template: Template): Promise<Pictures> {
  const frameCount = template.frames.length
  const designs = designsOf(template)
  const designCount = new Set(designs).size
  if (![1, designCount, frameCount].includes(files.length)) {
    const counts = [...new Set([1, designCount, frameCount])]
    const expected = frameCount === 1 ? 'one artwork' : `${counts.join(' or ')} artworks`
    throw new OperatorError(`Expected ${expected} for ${template.id} but received ${files.length}.`)
  }
  const pictures: { bytes: Uint8Array }[] = []
  for (const file of files) {
    const bytes = await readFile(file).catch((error: unknown) => {
      const advice = /^[a-z][a-z\d+.-]*:\/\//i.test(file) ? ': expected the path of a file, not an address' : ''
      throw new OperatorError(`The artwork ${file} cannot be read${advice}.`, { cause: error })
    })
    pictures.push({ bytes })
  }
  const [first] = pictures
  if (pictures.length === 1 && first) return first
  if (pictures.length === frameCount) return new Map(pictures.entries())
  return new Map(designs.flatMap((design, frame) => (pictures[design] ? [[frame, pictures[design]] as const] : [])))
}

/** The design of each frame, numbered in frame order; frames of one slot show the same. */
function designsOf({ frames }: Template): number[] {
  const names = frames.map(({ slot }, frame) => slot ?? frame)
  const distinct = [...new Set(names)]
  return names.map(name => distinct.indexOf(name))
}
