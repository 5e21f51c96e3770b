/** What a JPEG file says about its origin: untrusted text, as it is in the file. */
export type JpegOrigin = { readonly camera: string | null; readonly software: string | null }

const MAKE = 0x010f
const MODEL = 0x0110
const SOFTWARE = 0x0131

/** Camera and software by EXIF, or the software by a comment or by the marker that Adobe's programs leave. */
export function readJpegOrigin(bytes: Uint8Array): JpegOrigin {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let camera: string | null = null
  let software: string | null = null
  for (let at = 2; at + 4 <= buffer.length && buffer[at] === 0xff; ) {
    const marker = buffer[at + 1]
    if (marker === 0xda) break
    const body = buffer.subarray(at + 4, at + 2 + buffer.readUInt16BE(at + 2))
    if (marker === 0xe1 && body.toString('latin1', 0, 6) === 'Exif\0\0') {
      const texts = readTexts(body.subarray(6))
      camera ??= cameraName(texts.get(MAKE), texts.get(MODEL))
      software ??= texts.get(SOFTWARE) ?? null
    } else if (marker === 0xfe) software ??= printable(body.toString('latin1'))
    else if (marker === 0xed && body.toString('latin1', 0, 9) === 'Photoshop') software ??= 'Photoshop resources'
    else if (marker === 0xec && body.toString('latin1', 0, 5) === 'Ducky') software ??= 'Adobe, saved for the web'
    at += 2 + buffer.readUInt16BE(at + 2)
  }
  return { camera, software }
}

/** The thumbnail in a file's EXIF, or null. The camera encoded it, even where a program rewrote the rest. */
export function readThumbnail(bytes: Uint8Array): Buffer | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 2; at + 4 <= buffer.length && buffer[at] === 0xff && buffer[at + 1] !== 0xda; ) {
    const end = at + 2 + buffer.readUInt16BE(at + 2)
    const body = buffer.subarray(at + 4, end)
    if (buffer[at + 1] === 0xe1 && body.toString('latin1', 0, 6) === 'Exif\0\0') {
      const from = body.indexOf(Buffer.of(0xff, 0xd8, 0xff))
      const last = body.lastIndexOf(Buffer.of(0xff, 0xd9))
      if (from > 0 && last > from) return body.subarray(from, last + 2)
    }
    at = end
  }
  return null
}

/** The makers write themselves in front of the model, or do not. */
function cameraName(make: string | undefined, model: string | undefined): string | null {
  const first = make?.split(' ')[0]?.toLowerCase()
  if (model && (!make || (first && model.toLowerCase().startsWith(first)))) return model
  return make || model ? [make, model].filter(Boolean).join(' ') : null
}

/** Texts of the first directory of a TIFF structure, by tag. */
function readTexts(tiff: Buffer): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  if (tiff.length < 8) return texts
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = long(4)
  if (directory + 2 > tiff.length) return texts
  for (let i = 0; i < short(directory); i++) {
    const entry = directory + 2 + 12 * i
    if (entry + 12 > tiff.length) break
    if (short(entry + 2) !== 2) continue
    const sizeBytes = long(entry + 4)
    const from = sizeBytes <= 4 ? entry + 8 : long(entry + 8)
    const text = printable(tiff.toString('latin1', from, Math.min(tiff.length, from + sizeBytes)))
    if (text) texts.set(short(entry), text)
  }
  return texts
}

function printable(text: string): string | null {
  const kept = text
    .split('\0', 1)[0]
    ?.replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 60)
  return kept || null
}
