/**
 * Renders one mockup with the engine, for thumbnails and the truth check: node scenes/render-mockup.ts BUNDLE OUT.png WIDTH ARTWORK...
 * One artwork serves every frame; several go to the frames in order, from the start again where there are fewer.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { checkBundle, describeFault, prepareTemplate, renderMockup } from '@vitrine/engine'
import { createSharpCodec, openBundleFolder } from '@vitrine/engine/node'

const [bundle, out, width, ...artworkPaths] = process.argv.slice(2)
if (!bundle || !out || !width || artworkPaths.length === 0) {
  console.error('usage: node scenes/render-mockup.ts BUNDLE OUT.png WIDTH ARTWORK...')
  process.exit(2)
}
const codec = createSharpCodec()
const files = await openBundleFolder(bundle)
const { template, faults } = await checkBundle(files, codec)
for (const fault of faults) console.error(describeFault(fault))
if (!template) process.exit(1)
const prepared = await prepareTemplate(template, files, Number(width), codec)
const pictures = await Promise.all(artworkPaths.map(path => readFile(path)))
const artworks = new Map(
  template.frames.flatMap((_, index) => {
    const bytes = pictures[index % pictures.length]
    return bytes ? [[index, { bytes }] as const] : []
  }),
)
const mockup = await renderMockup({ prepared, artworks, output: { format: 'png' } }, codec)
await writeFile(out, mockup.bytes)
