/** Artworks of every kind that decoders disagree about, valid and damaged. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { exifSegment, pngChunk, profileSegments } from '../../engine/test/artwork/build-files.ts'
import { animatedWebp } from '../../engine/test/artwork/make-artwork.ts'
import { waves } from '../../engine/test/artwork/waves.ts'
import { flatJpeg } from '../../engine/test/color/flat-jpeg.ts'
import { cmykProfile, displayP3 } from '../../engine/test/color/profiles.ts'

const inputs = path.join(import.meta.dirname, 'artworks')
const jpegs = path.join(import.meta.dirname, '../../engine/test/decoding/fixtures')

type ArtworkFile = { readonly name: string; readonly bytes: Buffer }

const inks = Array.from({ length: 64 }, (_, i) => [i * 4, 255 - i * 3, (i * 37) % 256, (i * 59) % 256])

const splice = (bytes: Buffer, at: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])

const coded = pngChunk('cICP', Buffer.of(12, 13, 0, 1))
const linear = pngChunk('gAMA', Buffer.of(0, 1, 0x86, 0xa0))

export async function buildArtworkFiles(): Promise<readonly ArtworkFile[]> {
  const files: ArtworkFile[] = []
  const add = (name: string, bytes: Buffer): void => void files.push({ name, bytes })
  for (const [folder, names] of [
    [inputs, await readdir(inputs)],
    [jpegs, await readdir(jpegs)],
  ] as const)
    for (const name of names) add(name, await readFile(path.join(folder, name)))

  const picture = waves(60, 44)
  const clear = picture.clone().ensureAlpha(0.5)
  for (let orientation = 1; orientation <= 8; orientation++) {
    add(`turned ${orientation}.jpg`, await picture.clone().jpeg().withMetadata({ orientation }).toBuffer())
    add(`turned ${orientation}.webp`, await picture.clone().webp().withMetadata({ orientation }).toBuffer())
    add(`turned ${orientation}.png`, await picture.clone().png().withMetadata({ orientation }).toBuffer())
    const cmyk = flatJpeg(inks, 8, 0, [exifSegment(orientation)])
    add(`turned ${orientation}, cmyk.jpg`, cmyk)
  }
  for (const profile of ['p3', 'srgb'] as const) {
    add(`${profile}.jpg`, await picture.clone().jpeg().withIccProfile(profile).toBuffer())
    add(`${profile}.png`, await clear.clone().png().withIccProfile(profile).toBuffer())
    add(`${profile}, interlaced.png`, await clear.clone().png({ progressive: true }).withIccProfile(profile).toBuffer())
    add(`${profile}.webp`, await clear.clone().webp().withIccProfile(profile).toBuffer())
  }
  const plain = await picture.clone().png().toBuffer()
  const wide = await picture.clone().toColourspace('rgb16').png().toBuffer()
  const grey = await picture.clone().greyscale().png().toBuffer()
  for (const [name, file] of [
    ['8 bits', plain],
    ['16 bits', wide],
    ['grey', grey],
  ] as const) {
    add(`${name}.png`, file)
    add(`${name}, cICP.png`, splice(file, 33, coded))
    add(`${name}, gAMA.png`, splice(file, 33, linear))
  }
  add('ycck.jpg', flatJpeg(inks, 8, 2))
  add('cmyk without a marker.jpg', flatJpeg(inks, 8, null))
  add('cmyk with a profile.jpg', flatJpeg(inks, 8, 0, profileSegments(cmykProfile())))
  add(
    'rgb with a profile.jpg',
    flatJpeg(
      inks.map(ink => ink.slice(0, 3)),
      8,
      0,
      profileSegments(displayP3.profile),
    ),
  )
  add('cmyk of waves.jpg', await picture.clone().toColourspace('cmyk').jpeg().toBuffer())
  add('cmyk, progressive.jpg', await picture.clone().toColourspace('cmyk').jpeg({ progressive: true }).toBuffer())
  add('tiny.jpg', await waves(5, 3).jpeg().toBuffer())
  add('tiny, progressive.jpg', await waves(7, 2).jpeg({ progressive: true }).toBuffer())
  add('animation.webp', await animatedWebp())
  add('picture.gif', await picture.clone().gif().toBuffer())
  const onCanvas = await picture.clone().gif().toBuffer()
  onCanvas.writeUInt16LE(80, 6)
  onCanvas.writeUInt16LE(50, 8)
  const frameAt = onCanvas.indexOf(Buffer.of(0x2c, 0, 0, 0, 0, 60, 0, 44, 0))
  onCanvas.writeUInt16LE(7, frameAt + 1)
  onCanvas.writeUInt16LE(3, frameAt + 3)
  add('a frame on a canvas.gif', onCanvas)

  for (const [name, bytes] of [
    ['jpg', await picture.clone().jpeg().toBuffer()],
    ['cmyk.jpg', flatJpeg(inks, 8, 0)],
    ['progressive.jpg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
    ['png', plain],
    ['interlaced.png', await picture.clone().png({ progressive: true }).toBuffer()],
    ['webp', await picture.clone().webp().toBuffer()],
    ['lossless.webp', await picture.clone().webp({ lossless: true }).toBuffer()],
    ['gif', await picture.clone().gif().toBuffer()],
  ] as const) {
    add(`cut.${name}`, bytes.subarray(0, bytes.length * 0.6))
    const ended = [bytes.subarray(0, bytes.length * 0.6), ...(name.endsWith('jpg') ? [Buffer.of(0xff, 0xd9)] : [])]
    add(`cut, with an end.${name}`, Buffer.concat(ended))
    if (!name.endsWith('png')) continue
    const damaged = Buffer.from(bytes)
    const at = damaged.indexOf('IDAT', 'latin1') + 40
    damaged[at] = (damaged[at] ?? 0) ^ 1
    add(`a wrong checksum.${name}`, damaged)
  }
  add('another type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  add('nothing', Buffer.alloc(0))
  return files
}
