/** The process that makes small previews of finished mockups. It answers once and exits. */
import { readFile } from 'node:fs/promises'
import type { OpaquePixmap } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { encodePreviews, shrinkToPreview } from '../mockups/worker/small-pictures.ts'
import { answerOnce } from '../sandbox/answer-once.ts'
import type { PreviewReport, PreviewRequest } from './preview-report.ts'

answerOnce(makePreviews)

async function makePreviews({ files, bytesMax }: PreviewRequest): Promise<PreviewReport> {
  const codec = createSharpCodec()
  const pictures: OpaquePixmap[] = []
  for (const file of files) {
    globalThis.gc?.()
    pictures.push(await shrinkToPreview(await codec.decodeLayer(await readFile(file), 'rgb'), codec))
  }
  const previews = await encodePreviews(pictures, bytesMax, codec)
  if (previews === null) return { kind: 'failed', message: 'the previews are too large at every width' }
  return { kind: 'made', previews: previews.map(bytes => Buffer.from(bytes).toString('base64')) }
}
