import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curlSnippet, pythonSnippet, typescriptSnippet } from './snippets.ts'

const BASE_URL = 'https://mockups.example.com/api/v1'
const placement = { placements: { 1: { scale: 0.35, fit: 'contain' } } } as const
const JSON_TEXT = '{"1":{"scale":0.35,"fit":"contain"}}'

test('samples contain the placement as the API takes it', () => {
  assert.ok(curlSnippet({ baseUrl: BASE_URL, placement }).includes(`  -F 'placements=${JSON_TEXT}' \\\n`))
  assert.ok(
    typescriptSnippet({ baseUrl: BASE_URL, placement }).includes(
      `form.set('placements', JSON.stringify(${JSON_TEXT}))\n`,
    ),
  )
  const python = pythonSnippet({ baseUrl: BASE_URL, placement })
  assert.ok(python.startsWith('import json\nimport os\n'))
  assert.ok(python.includes(`data={"template_id": "oak-frame-portrait", "placements": json.dumps(${JSON_TEXT})},`))
})

test('samples contain a placement and colors together', () => {
  const input = { baseUrl: BASE_URL, placement: { placement: { scale: 0.35 } }, colors: { shirt: '#1f2a44' } }
  const [placed, colored] = ['{"scale":0.35}', '{"shirt":"#1f2a44"}']
  assert.ok(curlSnippet(input).includes(`  -F 'placement=${placed}' \\\n  -F 'colors=${colored}' \\\n`))
  assert.ok(
    typescriptSnippet(input).includes(
      `form.set('placement', JSON.stringify(${placed}))\nform.set('colors', JSON.stringify(${colored}))\n`,
    ),
  )
  const fields = `"placement": json.dumps(${placed}), "colors": json.dumps(${colored})`
  assert.ok(pythonSnippet(input).includes(`data={"template_id": "oak-frame-portrait", ${fields}},`))
})

test('samples without a placement or colors don’t mention any', () => {
  for (const snippet of [curlSnippet, typescriptSnippet, pythonSnippet]) {
    const code = snippet({ baseUrl: BASE_URL, placement: {}, colors: {} })
    assert.ok(!/placement|colors|json/.test(code), code)
  }
})

test('samples contain width and format, and an artwork for each frame if they differ', () => {
  const input = {
    baseUrl: BASE_URL,
    output: { format: 'png', widthPx: 3000, quality: 85 },
    artworkNames: ['lake.jpg', "Anna's; petals.png"],
  } as const
  const curl = curlSnippet(input)
  assert.ok(curl.startsWith('curl --fail-with-body '), 'an error must not be saved as the picture')
  assert.ok(curl.includes('  -F width=3000 \\\n  -F format=png \\\n  -F artwork_0=@lake.jpg \\\n'))
  assert.ok(curl.includes(`  -F 'artwork_1=@"Anna'\\''s; petals.png"' \\\n`), curl)
  assert.ok(curl.endsWith('  -o mockup.png'))
  assert.ok(typescriptSnippet(input).includes(`form.set('artwork_1', await openAsBlob('Anna\\'s; petals.png')`))
  assert.ok(pythonSnippet(input).includes(`"artwork_1": open("Anna's; petals.png", "rb")`))
  const alike = { ...input, artworkNames: ['lake.jpg', 'lake.jpg'] }
  assert.ok(curlSnippet(alike).includes('  -F artwork=@lake.jpg \\\n'))
})
