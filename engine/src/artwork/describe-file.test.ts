import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ArtworkError } from './artwork-error.ts'
import { describeFile } from './describe-file.ts'
import { inspectArtwork } from './inspect-artwork.ts'

const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1')
const media = (brand: string) => bytes(`\0\0\0\x20ftyp${brand}`)

const files: readonly (readonly [what: string, ...samples: (string | Uint8Array)[]])[] = [
  [
    'an HTML page',
    '<!DOCTYPE html><html>',
    '\xef\xbb\xbf\r\n <html lang="en">',
    '<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<!doctype html >',
    '<head><svg></svg>',
  ],
  [
    'an SVG drawing',
    '<svg xmlns="x">',
    '<?xml version="1.0"?><!-- Made by > -->\n<!DOCTYPE svg [<!ENTITY a "b">]><svg>',
  ],
  ['an XML document', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ['JSON', '{"error": "no"}', '  [ {"a": 1}]', '{}'],
  ['a picture as base64 text', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64'), '/9j/4AAQSkZJRg=='],
  ['a picture as quoted-printable text', '=89PNG=0D=0A=1A=0A'],
  ['a data URI', 'data:image/png;base64,iVBORw0KGgo='],
  ['a HEIC photo', media('heic\0\0\0\0mif1'), media('mif1\0\0\0\0heicmif1')],
  ['an AVIF picture', media('avif\0\0\0\0mif1'), media('mif1\0\0\0\0miafavif')],
  ['a video', media('mp42\0\0\0\0isom'), media('qt  '), bytes('\x1a\x45\xdf\xa3webm')],
  ['a raw photo of a camera', media('crx \0\0\0\0'), 'II*\0\x10\0\0\0CR\x02\0'],
  ['a PDF', '%PDF-1.7\n'],
  ['a PostScript file', '%!PS-Adobe-3.0 EPSF'],
  ['a TIFF picture', 'II*\0\x08\0\0\0\0\0\0\0', 'MM\0*\0\0\0\x08'],
  ['a Photoshop file', '8BPS\0\x01'],
  ['a BMP picture', 'BM\x36\0\x0c\0\0\0\0\0'],
  ['a JPEG XL picture', '\xff\x0a\xfa', '\0\0\0\x0cJXL \r\n\x87\n'],
  ['a JPEG 2000 picture', '\0\0\0\x0cjP  \r\n'],
  ['an icon (ICO)', '\0\0\x01\0\x01\0'],
  ['a zip', 'PK\x03\x04'],
  ['what macOS keeps beside a file', '\0\x05\x16\x07\0\x02\0\0'],
  ['bytes that were turned into text', Buffer.from('\ufffd\ufffd\ufffdJFIF')],
  ['a PNG whose beginning is damaged', '\x89PNG\n\x1a\n'],
  ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1'],
]

test('a file that cannot be artwork is identified by its bytes alone, and refused', () => {
  for (const [what, ...samples] of files)
    for (const sample of samples) {
      const file = typeof sample === 'string' ? bytes(sample) : sample
      assert.throws(
        () => inspectArtwork(file),
        error => {
          assert.ok(error instanceof ArtworkError)
          assert.equal(error.reason, 'unsupported_type')
          assert.equal(error.message, `Expected a JPEG, PNG, WebP or GIF picture but received ${what}.`)
          return error.hint === (describeFile(file)?.advice ?? null)
        },
      )
    }
})

test('an unknown file is refused as another type of file', () => {
  for (const text of ['hello', 'BM, a text', '<p>', 'ftyp', '\0\0\0\x20ftyp'.slice(0, 6), '{a}', '[a]', '%PD'])
    assert.throws(() => inspectArtwork(bytes(text)), /but received another type of file\.$/, text)
})

test('describing a file is fast, whatever its first bytes', () => {
  for (const part of ['<!-- -->', '<?xml ?>', ' ', '<!', '<!--', 'mif1', '[', '{ '])
    assert.doesNotThrow(() => describeFile(bytes(part.repeat(4096))))
})
