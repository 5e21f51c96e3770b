import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { createSharpCodec } from '@vitrine/engine/node'

const codec = createSharpCodec()

/** The bytes of a picture of one colour. */
export function plainPicture(
  widthPx: number,
  heightPx: number,
  [r, g, b]: readonly [number, number, number],
  format: 'png' | 'jpeg' = 'png',
): Promise<Uint8Array> {
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let i = 0; i < data.length; i += 3) data.set([r, g, b], i)
  return codec.encode(
    { alpha: 'opaque', widthPx, heightPx, data },
    format === 'png' ? { format } : { format, quality: 90 },
  )
}

/** A PNG of 40 x 20 pixels whose left half is blue, and whose right half is transparent. */
export function makeLogo(): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: 40 }, (_, x) => [0, 0, 255, x < 20 ? 255 : 0]).flat()])
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, crc])
  }
  const header = Buffer.from([0, 0, 0, 40, 0, 0, 0, 20, 8, 6, 0, 0, 0])
  const rows = deflateSync(Buffer.concat(Array.from({ length: 20 }, () => row)))
  const begin = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([begin, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** A colour area that is the lower half of the scene of `writeBundle`. */
export const floorArea = {
  name: 'floor',
  default: '#787878',
  mask: { image: 'floor.png', region: [0, 125, 200, 125] },
  suggestions: [{ name: 'Navy', value: '#1f2a44' }],
}

/**
 * Writes a bundle with a grey scene of 200 x 250 pixels and this many square frames in a row, optionally with
 * a colour area, and slots. Returns its folder.
 */
export async function writeBundle(
  parent: string,
  id: string,
  frameCount = 1,
  colors: readonly (typeof floorArea)[] = [],
  slots: readonly string[] = [],
): Promise<string> {
  const folder = path.join(parent, id)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'scene.png'), await plainPicture(200, 250, [120, 120, 120]))
  const sidePx = Math.floor(180 / frameCount)
  const frames = Array.from({ length: frameCount }, (_, index) => {
    const left = 10 + index * sidePx
    return {
      aspect_ratio: 1,
      ...(slots[index] === undefined ? {} : { slot: slots[index] }),
      corners: [
        [left, 50],
        [left + sidePx, 50],
        [left + sidePx, 50 + sidePx],
        [left, 50 + sidePx],
      ],
    }
  })
  const template = {
    format: 1,
    id,
    name: `Test ${id}`,
    category: 'Tests',
    type: 'print',
    render_mode: 'corners',
    scene: 'scene.png',
    frames,
    share_bundle: true,
    ...(colors.length > 0 && { colors }),
  }
  if (colors.length > 0) await writeFile(path.join(folder, 'floor.png'), await plainPicture(4, 4, [255, 255, 255]))
  await writeFile(path.join(folder, 'template.json'), JSON.stringify(template))
  return folder
}
