/** The process that makes small pictures of finished mockups. It answers once and ends. */
import { readFile } from 'node:fs/promises'
import type { OpaquePixmap } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { type PreviewReport, type PreviewRequest, previewWidthsPx } from './preview-report.ts'

const QUALITY = 70

// The decoder's library is loaded; no other one will be.
process.permission.drop('addon')

process.once('disconnect', () => process.exit())
process.once('message', (request: PreviewRequest) => {
  makePreviews(request)
    .catch((error: unknown): PreviewReport => ({ kind: 'failed', message: String(error).slice(0, 1000) }))
    .then(report => process.send?.(report, () => process.exit()))
    .catch(() => process.exit(1))
})

/** JPEGs of the greatest width at which all of them fit together. */
async function makePreviews({ files, bytesMax }: PreviewRequest): Promise<PreviewReport> {
  const codec = createSharpCodec()
  const pictures: OpaquePixmap[] = []
  const [widest] = previewWidthsPx
  for (const file of files) {
    globalThis.gc?.()
    pictures.push(await shrink(await codec.decodeLayer(await readFile(file), 'rgb'), widest))
  }
  for (const widthPx of previewWidthsPx) {
    const previews: Uint8Array[] = []
    for (const picture of pictures)
      previews.push(await codec.encode(await shrink(picture, widthPx), { format: 'jpeg', quality: QUALITY }))
    if (previews.reduce((sum, { length }) => sum + length, 0) <= bytesMax)
      return { kind: 'made', previews: previews.map(bytes => Buffer.from(bytes).toString('base64')) }
  }
  return { kind: 'failed', message: 'the previews are too large at every width' }

  function shrink(picture: OpaquePixmap, toWidthPx: number): Promise<OpaquePixmap> {
    const scale = Math.min(1, toWidthPx / picture.widthPx)
    const heightPx = Math.max(1, Math.round(picture.heightPx * scale))
    return codec.resize(picture, Math.max(1, Math.round(picture.widthPx * scale)), heightPx)
  }
}
