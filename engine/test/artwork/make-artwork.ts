import { sharp } from '../../src/node/hardened-sharp.ts'
import { exifBlock, exifSegment, gif, iccProfile, pngChunk, profileChunk, profileSegments } from './build-files.ts'

/** Raw RGB from a function of the pixel's centre. */
export function rgbOf(
  widthPx: number,
  heightPx: number,
  at: (x: number, y: number) => readonly [number, number, number],
): Uint8Array {
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0, i = 0; y < heightPx; y++) for (let x = 0; x < widthPx; x++, i += 3) data.set(at(x + 0.5, y + 0.5), i)
  return data
}

export function openRgb(data: Uint8Array, widthPx: number, heightPx: number): ReturnType<typeof sharp> {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

/** Small sound files of every kind that is accepted, by name. */
export async function soundFiles(): Promise<Readonly<Record<string, Buffer>>> {
  const raw = (): ReturnType<typeof sharp> =>
    openRgb(
      rgbOf(40, 30, (x, y) => [x * 6, y * 8, (x * y) % 256]),
      40,
      30,
    )
  const rgba = (): ReturnType<typeof sharp> => raw().ensureAlpha(0.5)
  const jpeg = await raw().jpeg().toBuffer()
  const png = await raw().png().toBuffer()
  const inPng = (chunk: Buffer): Buffer => Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
  const inJpeg = (...segments: Buffer[]): Buffer => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
  return {
    jpeg,
    'jpeg, progressive': await raw().jpeg({ progressive: true }).toBuffer(),
    'jpeg, grey': await raw().greyscale().jpeg().toBuffer(),
    'jpeg, CMYK': await raw().toColourspace('cmyk').jpeg().toBuffer(),
    'jpeg, turned': inJpeg(exifSegment(6)),
    'jpeg, with a profile': inJpeg(...profileSegments(iccProfile('RGB '), 100)),
    png,
    'png, with alpha': await rgba().png().toBuffer(),
    'png, interlaced': await raw().png({ progressive: true }).toBuffer(),
    'png, palette': await raw().png({ palette: true, colours: 8 }).toBuffer(),
    'png, 16-bit': await raw().toColourspace('rgb16').png().toBuffer(),
    'png, turned': inPng(pngChunk('eXIf', exifBlock(8))),
    'png, with a profile': inPng(profileChunk(iccProfile('RGB '))),
    'webp, lossy': await raw().webp().toBuffer(),
    'webp, lossless with alpha': await rgba().webp({ lossless: true }).toBuffer(),
    'webp, lossy with alpha': await rgba().webp().toBuffer(),
    'webp, with metadata': await raw().withMetadata({ orientation: 3 }).withIccProfile('p3').webp().toBuffer(),
    gif: await raw().gif().toBuffer(),
    'gif, in a corner': gif(40, 30, [{ leftPx: 3, topPx: 2, widthPx: 1, heightPx: 1, transparentIndex: 1 }]),
    'webp, animated': await animatedWebp(),
  }
}

/** Two frames, red then blue. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = ['#ff0000', '#0000ff'].map(background => ({
    create: { width: 20, height: 16, channels: 3 as const, background },
  }))
  const strip = await Promise.all(frames.map(frame => sharp(frame).png().toBuffer()))
  return sharp(strip, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer()
}
