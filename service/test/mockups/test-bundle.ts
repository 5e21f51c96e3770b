import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createSharpCodec } from '@vitrine/engine/node'

const codec = createSharpCodec()

/** A picture in one color, as a file's bytes. */
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

/** A colour area that is the lower half of the scene of `writeBundle`. */
export const floorArea = {
  name: 'floor',
  default: '#787878',
  mask: { image: 'floor.png', region: [0, 125, 200, 125] },
  suggestions: [{ name: 'Navy', value: '#1f2a44' }],
}

/**
 * Writes a bundle with a grey scene of 200 x 250 pixels and so many square frames in a row, and perhaps with
 * a colour area, and slots of its frames. Returns its folder.
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
