import type { OpaquePixmap } from '../../src/pixmap.ts'
import { createSharpCodec } from '../../src/node/index.ts'

/** A picture as a PNG file for people to look at. */
export function writePng(picture: OpaquePixmap): Promise<Uint8Array> {
  return createSharpCodec().encode(picture, { format: 'png' })
}
