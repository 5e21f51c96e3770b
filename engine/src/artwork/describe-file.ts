// oxlint-disable no-control-regex -- files that are no text begin with such bytes
/** What a file is, and what to do if it cannot be used as artwork. */
export type FileDescription = {
  /** With its article: "a HEIC photo". */
  readonly what: string
  /** A sentence; null if there is no advice. */
  readonly advice: string | null
}

/** How much of a file is examined. */
const START_BYTES = 2048

const AS_JPEG = 'Export or share it as JPEG.'
const AS_PNG = 'Export it as PNG or JPEG.'
const ITSELF = 'Send the picture itself: this is what a web page, a sign-in or an error answers in its place.'
const BYTES = 'Send the bytes of the picture themselves.'

/** Brands of the ISO base media format (ISO/IEC 14496-12), which HEIC and AVIF use. */
const brands: readonly (readonly [RegExp, string, string | null])[] = [
  [/^avi[fs]/, 'an AVIF picture', AS_PNG],
  [/^crx /, 'a raw photo of a camera', AS_JPEG],
  [/^(?:hei[cxms]|hev[cxms])/, 'a HEIC photo', AS_JPEG],
  // Used by both; the compatible brands that follow tell which.
  [/^(?:mif1|msf1|miaf).{0,60}avi[fs]/s, 'an AVIF picture', AS_PNG],
  [/^(?:mif1|msf1|miaf)/, 'a HEIC photo', AS_JPEG],
  [/^M4A/, 'a sound', null],
  [/^/, 'a video', null],
]

/** Matched against the beginning of the file as Latin-1; the first match applies. */
const kinds: readonly (readonly [RegExp, string, string | null])[] = [
  [/^\xff\xd8\xff/, 'a JPEG picture', null],
  [/^\x89PNG\r\n\x1a\n/, 'a PNG picture', null],
  [/^GIF8[79]a/, 'a GIF picture', null],
  [/^RIFF.{4}WEBP/s, 'a WebP picture', null],
  [/^%PDF-/, 'a PDF', 'Export its page as PNG, at 300 dpi.'],
  [/^(?:%!PS|\xc5\xd0\xd3\xc6)/, 'a PostScript file', 'Export its page as PNG, at 300 dpi.'],
  [/^8BPS/, 'a Photoshop file', 'Export it as PNG.'],
  [/^II\*\0.{4}CR/s, 'a raw photo of a camera', AS_JPEG],
  [/^FUJIFILMCCD-RAW/, 'a raw photo of a camera', AS_JPEG],
  [/^(?:II[*+]\0|MM\0[*+])/, 'a TIFF picture', AS_PNG],
  [/^BM.{4}\0{4}/s, 'a BMP picture', AS_PNG],
  [/^\0\0\x01\0/, 'an icon (ICO)', AS_PNG],
  [/^(?:\xff\x0a|\0\0\0\x0cJXL )/, 'a JPEG XL picture', AS_PNG],
  [/^(?:\0\0\0\x0cjP {2}|\xff\x4f\xff\x51)/, 'a JPEG 2000 picture', AS_PNG],
  [/^\x89PNG/, 'a PNG whose beginning is damaged', 'Send it as bytes, not as text.'],
  [/^(?:=89PNG|=FF=D8=FF)/i, 'a picture as quoted-printable text', BYTES],
  [/^\xef\xbf\xbd/, 'bytes that were turned into text', BYTES],
  [/^(?:\x1a\x45\xdf\xa3|RIFF.{4}AVI )/s, 'a video', null],
  [/^RIFF.{4}WAVE/s, 'a sound', null],
  [/^PK\x03\x04/, 'a zip', 'Unpack it, and send the picture in it.'],
  [/^(?:7z\xbc\xaf|Rar!|\x1f\x8b)/, 'an archive', 'Unpack it, and send the picture in it.'],
  [/^\xd0\xcf\x11\xe0/, 'an Office document', AS_PNG],
  [/^\0\x05\x16\x07/, 'what macOS keeps beside a file', 'Send the file of the same name without "._".'],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS', 'Fetch the file that it stands for.'],
  [/^\{\\rtf/, 'an RTF document', null],
]

/** For text files, without a byte order mark and leading white space. */
const texts: readonly (readonly [RegExp, string, string | null])[] = [
  [/^data:/i, 'a data URI', BYTES],
  [/^(?:\/9j\/|iVBORw0KGgo|UklGR|R0lGOD)/, 'a picture as base64 text', BYTES],
  [
    /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body|title|script|meta)[\s>]/i,
    'an HTML page',
    ITSELF,
  ],
  [/^<(?:svg[\s>]|[?!][^]*<svg[\s>])/i, 'an SVG drawing', 'Export it as PNG, 2,000 pixels wide or more.'],
  [/^<\?xml/, 'an XML document', ITSELF],
  [/^(?:\{\s*["}]|\[\s*[[{"\d\]])/, 'JSON', ITSELF],
]

/** Describes a file by its beginning; null if unknown. */
export function describeFile(bytes: Uint8Array): FileDescription | null {
  const start = String.fromCharCode(...bytes.subarray(0, START_BYTES))
  const ofMedia = start.startsWith('ftyp', 4) ? find(brands, start.slice(8)) : null
  return ofMedia ?? find(kinds, start) ?? find(texts, start.replace(/^(?:\xef\xbb\xbf)?\s+|^\xef\xbb\xbf/, ''))
}

function find(among: typeof kinds, start: string): FileDescription | null {
  const [, what, advice = null] = among.find(([pattern]) => pattern.test(start)) ?? []
  return what === undefined ? null : { what, advice }
}
