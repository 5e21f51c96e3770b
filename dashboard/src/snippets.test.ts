import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curlSnippet, pythonSnippet, typescriptSnippet } from './snippets.ts'

const BASE_URL = 'https://mockups.example.com/api/v1'
const placement = { placements: { 1: { scale: 0.35, fit: 'contain' } } } as const
const JSON_TEXT = '{"1":{"scale":0.35,"fit":"contain"}}'

test('samples carry the placement as the interface takes it', () => {
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

test('samples carry a placement and colors together', () => {
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
