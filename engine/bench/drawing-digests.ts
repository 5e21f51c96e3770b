/**
 * SHA-256 of drawn pixels, to compare two versions of the engine: each starter template at four widths with
 * placements, and in another colour where it has areas, and random stacks; with the kernel, on the picture
 * of the mockup before, and (small) without it.
 *
 *   node engine/bench/drawing-digests.ts [template…]
 *
 * Prints a line for each template and width, and the SHA-256 of these lines.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { blendModeNames } from '../src/blending/blend-modes.ts'
import {
  centredCover,
  type ImageCodec,
  type Placement,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
  type Template,
} from '../src/index.ts'
import { createFrameKernel, createSharpCodec, openBundleFolder } from '../src/node/index.ts'
import { composeMockup, Renderer } from '../src/render.ts'
import { makeArtworks, makeTemplate } from '../test/properties/make-stack.ts'
import { createRandom } from '../test/reference/detail-artwork.ts'
import { asDecoded } from '../test/reference/memory-codec.ts'
import { listTemplates, templatesDirectory } from './list-templates.ts'

const widthsPx = [320, 1000, 1777, 4000]
/** Up to this width the plain TypeScript draws too. */
const PLAIN_WIDTH_PX = 320
const DYE = '#1f2a44'
const STACKS = 60

const placements: readonly (Placement | undefined)[] = [
  undefined,
  { ...centredCover, fit: 'contain', scale: 0.7, rotation: 33, x: 0.4, y: 0.55 },
  { ...centredCover, repeat: 'mirror', scale: 0.3, rotation: 12 },
  { ...centredCover, fit: 'contain', scale: 0.8, background: '#e0a458' },
]

const sharp = createSharpCodec()
/** Leaves pixels as they are drawn. */
const codec: ImageCodec = { ...sharp, encode: picture => Promise.resolve(picture.data) }
const kernel = createFrameKernel()
const lines: string[] = []

function report(digest: string, what: string): void {
  const line = `${digest}  ${what}`
  lines.push(line)
  console.log(line)
}

async function digestTemplate(folder: string, template: Template, widthPx: number): Promise<void> {
  const files = await openBundleFolder(folder)
  const artworks = await Promise.all(
    ['evening-hills.jpg', 'mountain-logo.png'].map(name => readFile(path.join(templatesDirectory, 'artworks', name))),
  )
  const base = await prepareTemplate(template, files, widthPx, codec, kernel)
  const dyed = new Map(template.colors.map(({ name }) => [name, DYE]))
  const hash = createHash('sha256')
  const renderers = [new Renderer(kernel, () => 0), ...(widthPx > PLAIN_WIDTH_PX ? [] : [new Renderer(null, () => 0)])]
  for (const prepared of [base, await recolorTemplate(base, template, files, dyed, codec, kernel)])
    for (const renderer of renderers)
      for (const all of placements)
        for (const bytes of artworks) {
          const job = { prepared, artworks: { bytes }, placements: { all }, output: { format: 'png' } as const }
          hash.update((await renderer.render(job, codec)).bytes)
        }
  report(hash.digest('hex'), `${template.id} ${widthPx}`)
}

async function digestStacks(): Promise<void> {
  for (const widthPx of [16, 53]) {
    const hash = createHash('sha256')
    for (let seed = 1; seed <= STACKS; seed++) {
      const random = createRandom(seed)
      const { template, bundle } = makeTemplate(random, blendModeNames)
      const prepared = await prepareTemplate(template, bundle, widthPx, bundle.codec(), seed % 2 ? kernel : null)
      const artworks = makeArtworks(random).map(asDecoded)
      hash.update(prepared.empty.data)
      hash.update(composeMockup(prepared, artworks, seed % 3 ? kernel : null).data)
    }
    report(hash.digest('hex'), `${STACKS} stacks ${widthPx}`)
  }
}

const wanted = process.argv.slice(2)
for (const folder of await listTemplates()) {
  if (wanted.length > 0 && !wanted.includes(path.basename(folder))) continue
  const template = parseTemplate(JSON.parse(await readFile(path.join(folder, 'template.json'), 'utf8')))
  for (const widthPx of widthsPx) await digestTemplate(folder, template, widthPx)
}
if (wanted.length === 0) await digestStacks()
const all = createHash('sha256')
  .update(lines.map(line => `${line}\n`).join(''))
  .digest('hex')
console.log(`${lines.length} on ${process.platform} ${process.arch}: ${all}`)
