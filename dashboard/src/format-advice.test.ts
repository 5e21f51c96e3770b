import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAdvice, isCameraFormat } from './format-advice.ts'

test('formats from phones and print shops are named, with advice what to export instead', () => {
  const advice = (name: string, type = '') => formatAdvice({ name, type })
  assert.equal(advice('IMG_1.HEIC'), '“IMG_1.HEIC” is a HEIC photo. Export or share it as JPEG.')
  assert.match(
    advice('logo', 'image/svg+xml') ?? '',
    /^“logo” is an SVG drawing\. Export it as PNG, 2,000 pixels wide or more\.$/,
  )
  assert.equal(advice('poster.pdf'), '“poster.pdf” is a PDF. Export the page as PNG, at 300 dpi.')
  for (const name of ['poster.pdf', 'poster.ai', 'scan.tif', 'scan.TIFF', 'photo.avif'])
    assert.match(advice(name) ?? '', /Export /, name)
})

test('accepted formats get no advice, whatever their file names contain', () => {
  for (const name of ['lake.jpg', 'pdf of heic.png', 'avif.webp', 'svg', 'tiffany.gif'])
    assert.equal(formatAdvice({ name, type: name.includes('.') ? 'image/png' : '' }), null, name)
})

test('formats of cameras and phones are recognised', () => {
  for (const [name, type] of [
    ['IMG_1.HEIC', ''],
    ['IMG_1', 'image/heif'],
    ['scan.tif', 'image/tiff'],
    ['a.avif', 'image/avif'],
  ] as const)
    assert.equal(isCameraFormat({ name, type }), true, name)
  for (const name of ['a.pdf', 'a.svg', 'a.jpg', 'heic']) assert.equal(isCameraFormat({ name, type: '' }), false, name)
})
