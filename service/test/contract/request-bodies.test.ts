import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOnOneDatabase, errorOf, type TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

type Part = readonly [name: string, value: string | Blob, fileName?: string]

const file = async (size = 30, color: readonly [number, number, number] = [255, 0, 0]) =>
  new Blob([new Uint8Array(await plainPicture(size, size, color))])

async function form(parts: readonly (Part | Promise<Part>)[]): Promise<FormData> {
  const data = new FormData()
  for (const part of parts) {
    const [name, value, fileName] = await part
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, fileName ?? 'picture.png')
  }
  return data
}

const artwork = async (name = 'artwork'): Promise<Part> => [name, await file()]
const id: Part = ['template_id', 'one-frame']
const small: Part = ['width', '16']

const accepted: readonly [
  row: string,
  parts: readonly (Part | Promise<Part>)[] | ((service: TestService) => readonly (Part | Promise<Part>)[]),
  credits?: number,
][] = [
  ['a file', [id, small, artwork()]],
  ['a file before its parameters', [artwork(), id, small]],
  ['numbers as texts', [id, small, ['quality', '50'], ['format', 'jpeg'], ['response_format', 'json'], artwork()]],
  [
    'template_ids as a repeated field',
    [['template_ids', 'one-frame'], ['template_ids', 'two-frames'], ['response_format', 'json'], small, artwork()],
    2,
  ],
  [
    'template_ids[] as a repeated field',
    [['template_ids[]', 'one-frame'], ['template_ids[]', 'one-frame'], ['response_format', 'json'], small, artwork()],
    2,
  ],
  [
    'template_ids as one JSON array',
    [['template_ids', '["one-frame","two-frames"]'], ['response_format', 'json'], small, artwork()],
    2,
  ],
  ['one template_ids field', [['template_ids', 'one-frame'], ['response_format', 'json'], small, artwork()]],
  [
    'artwork_urls as JSON text',
    ({ origin }) => [id, small, ['artwork_urls', JSON.stringify({ 0: `${origin.url}/red.png` })]],
  ],
  ['one file for a template of two frames', [['template_id', 'two-frames'], small, artwork()]],
  ['a file per frame', [['template_id', 'two-frames'], small, artwork('artwork_0'), artwork('artwork_1')]],
  ['artwork_url beside a file', [id, small, ['artwork_url', 'http://example.com/'], artwork()]],
  ['fields that were left blank', [id, small, ['format', ''], ['quality', ' '], ['placement', ''], artwork()]],
  [
    'file inputs that were left blank',
    [id, small, ['artwork', new Blob([]), ''], ['artwork_0', new Blob([]), ''], artwork()],
  ],
  ['unknown fields and files', [id, small, ['colour', 'red'], artwork('picture'), artwork()]],
]

const refused: readonly [
  row: string,
  parts: readonly (Part | Promise<Part>)[],
  status: number,
  code: string,
  details?: unknown,
][] = [
  ['artwork_url alone', [id, ['artwork_url', 'http://example.com/']], 400, 'MISSING_ARTWORK'],
  ['no artwork', [id], 400, 'MISSING_ARTWORK'],
  ['no template', [artwork()], 400, 'MISSING_TEMPLATE_ID'],
  ['two artwork parts', [id, artwork(), artwork()], 400, 'CONFLICTING_PARAMETERS', { parameters: ['artwork'] }],
  [
    'artwork and artwork_0',
    [id, artwork(), artwork('artwork_0'), artwork('artwork_1')],
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['artwork', 'artwork_0'] },
  ],
  [
    'artwork_0 and artwork_urls',
    [id, artwork('artwork_0'), ['artwork_urls', '{"0":"http://example.com/"}']],
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['artwork_0', 'artwork_urls'] },
  ],
  [
    'two artwork_0 parts',
    [id, artwork('artwork_0'), artwork('artwork_0')],
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['artwork_0'] },
  ],
  [
    'artwork and artwork_urls',
    [id, artwork(), ['artwork_urls', '{"0":"http://example.com/"}']],
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['artwork', 'artwork_urls'] },
  ],
  [
    'artwork as text',
    [id, ['artwork', 'http://example.com/']],
    400,
    'INVALID_PARAMETER',
    { parameter: 'artwork', received: 'http://example.com/', allowed: 'a file' },
  ],
  ['placement that is no JSON', [id, artwork(), ['placement', 'scale=2']], 400, 'INVALID_PARAMETER'],
  [
    'placement as JSON text',
    [id, artwork(), ['placement', '{"scale":21}']],
    400,
    'INVALID_PARAMETER',
    { parameter: 'placement.scale', received: 21, allowed: 'a number from 0.05 to 20' },
  ],
  ['artwork_urls that is no JSON', [id, ['artwork_urls', 'http://example.com/']], 400, 'INVALID_PARAMETER'],
  [
    'artwork_0 alone for two frames',
    [['template_id', 'two-frames'], artwork('artwork_0')],
    400,
    'MISSING_ARTWORK',
    { missing_frames: [{ template_id: 'two-frames', frames: [1] }] },
  ],
  [
    'artwork_5 for one frame',
    [id, artwork('artwork_0'), artwork('artwork_5')],
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['5'], frame_count: 1 },
  ],
  ['a parameter twice', [id, id, artwork()], 400, 'INVALID_PARAMETER'],
  [
    'a number that comes as a file',
    [id, ['width', new Blob(['16']), 'blob'], artwork()],
    400,
    'INVALID_PARAMETER',
    { parameter: 'width', received: 'a file', allowed: 'an integer from 1 to 4000' },
  ],
  [
    'artwork_urls that come as a file',
    [id, ['artwork_urls', new Blob(['{}'], { type: 'application/json' }), 'blob']],
    400,
    'INVALID_PARAMETER',
    { parameter: 'artwork_urls', received: 'a file', allowed: 'an object that maps frame indices to URLs' },
  ],
  [
    'template_ids[] that comes as a file',
    [['template_ids[]', new Blob(['one-frame']), 'blob'], ['response_format', 'json'], artwork()],
    400,
    'INVALID_PARAMETER',
    { parameter: 'template_ids', received: 'a file', allowed: 'a list of 1 to 12 template ids (texts)' },
  ],
  [
    'template_ids that begin like a JSON array and are none',
    [['template_ids', '["one-frame"'], ['response_format', 'json'], artwork()],
    400,
    'INVALID_PARAMETER',
    { parameter: 'template_ids', received: '["one-frame"', allowed: 'a list of 1 to 12 template ids (texts)' },
  ],
  ['artwork_0 with a leading zero', [id, artwork('artwork_00')], 400, 'MISSING_ARTWORK'],
  [
    '18 artwork files',
    [id, ...Array.from({ length: 18 }, (_, i) => artwork(`artwork_${i}`))],
    400,
    'MALFORMED_REQUEST',
  ],
  ['text fields of 1 MB', [id, ['x', 'x'.repeat(1024 * 1024 - 9)]], 400, 'MISSING_ARTWORK'],
  ['text fields of 1 MB and a byte', [id, ['x', 'x'.repeat(1024 * 1024 - 8)]], 413, 'REQUEST_TOO_LARGE'],
  ['200 parts', [id, ...Array.from({ length: 199 }, (): Part => ['x', 'x'])], 400, 'MISSING_ARTWORK'],
  ['201 parts', [id, ...Array.from({ length: 200 }, (): Part => ['x', 'x'])], 400, 'MALFORMED_REQUEST'],
  [
    'width 1e2',
    [id, ['width', '1e2'], artwork()],
    400,
    'INVALID_PARAMETER',
    { parameter: 'width', received: '1e2', allowed: 'an integer from 1 to 4000' },
  ],
  [
    'width 4001',
    [id, ['width', '4001'], artwork()],
    400,
    'INVALID_PARAMETER',
    { parameter: 'width', received: 4001, allowed: 'an integer from 1 to 4000' },
  ],
  ['an empty template_ids', [['template_ids', ''], ['response_format', 'json'], artwork()], 400, 'MISSING_TEMPLATE_ID'],
  ['an empty file', [id, ['artwork', new Blob([]), 'empty.png']], 400, 'INVALID_ARTWORK'],
]

const JSON_TYPE = 'application/json'
const raw: readonly [
  row: string,
  contentType: string | null,
  body: string | Uint8Array | null,
  status: number,
  code: string,
][] = [
  ['no JSON', JSON_TYPE, '{"template_id":', 400, 'MALFORMED_REQUEST'],
  ['an empty JSON body', JSON_TYPE, '', 400, 'MALFORMED_REQUEST'],
  ['a JSON list', JSON_TYPE, '[]', 400, 'MALFORMED_REQUEST'],
  ['JSON null', JSON_TYPE, 'null', 400, 'MALFORMED_REQUEST'],
  ['JSON in UTF-16', JSON_TYPE, Buffer.from('{"template_id":"one-frame"}', 'utf16le'), 400, 'MALFORMED_REQUEST'],
  ['JSON that is no UTF-8', JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]), 400, 'MALFORMED_REQUEST'],
  ['NaN in JSON', JSON_TYPE, '{"width":NaN}', 400, 'MALFORMED_REQUEST'],
  [
    'JSON 10,000 levels deep',
    JSON_TYPE,
    `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    400,
    'MISSING_TEMPLATE_ID',
  ],
  ['JSON with a byte-order mark', JSON_TYPE, '\uFEFF{}', 400, 'MISSING_TEMPLATE_ID'],
  ['JSON with a charset', 'application/json; charset=utf-8', '{}', 400, 'MISSING_TEMPLATE_ID'],
  ['JSON of 1 MB', JSON_TYPE, `{"x":"${'x'.repeat(1024 * 1024 - 8)}"}`, 400, 'MISSING_TEMPLATE_ID'],
  ['JSON of 1 MB and a byte', JSON_TYPE, `{"x":"${'x'.repeat(1024 * 1024 - 7)}"}`, 413, 'REQUEST_TOO_LARGE'],
  ['text/plain', 'text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a form that is not multipart',
    'application/x-www-form-urlencoded',
    'template_id=one-frame',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['no body and no Content-Type', null, null, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a Content-Type that is none', 'x', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['multipart without a boundary', 'multipart/form-data', 'x', 400, 'MALFORMED_REQUEST'],
  ['a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, 'x', 400, 'MALFORMED_REQUEST'],
  ['a boundary of 252 characters', `multipart/form-data; boundary=${'b'.repeat(252)}`, 'x', 400, 'MALFORMED_REQUEST'],
  ['multipart without a part', 'multipart/form-data; boundary=b', 'x', 400, 'MALFORMED_REQUEST'],
  [
    'truncated multipart',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="template_id"\r\n\r\none-fr',
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'a part header without end',
    'multipart/form-data; boundary=b',
    `--b\r\nX: ${'x'.repeat(200_000)}`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    '1,001 parts, cut in the last',
    'multipart/form-data; boundary=b',
    `${'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nx\r\n'.repeat(1001)}--b\r\nConte`,
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'a part named __proto__ with a header __proto__',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n__proto__: x\r\n\r\nx\r\n--b--\r\n',
    400,
    'MISSING_TEMPLATE_ID',
  ],
]

describeOnOneDatabase('interface.md, "Bodies"', use => {
  for (const [row, parts, credits = 1] of accepted)
    test(`${row}: 200`, async () => {
      const service = use()
      const { key } = await service.customer()
      const answer = await service.generate(key, await form(typeof parts === 'function' ? parts(service) : parts))
      assert.equal(answer.status, 200, JSON.stringify(answer.json))
      assert.equal(await service.balance(key), 1000 - credits)
    })

  for (const [row, parts, status, code, details] of refused)
    test(`${row}: ${status} ${code}`, async () => {
      const service = use()
      const { key } = await service.customer()
      const answer = await service.generate(key, await form(parts))
      assert.deepEqual([answer.status, errorOf(answer).code], [status, code], JSON.stringify(answer.json))
      if (details !== undefined) assert.deepEqual(errorOf(answer).details, details)
      assert.equal(await service.balance(key), 1000)
    })

  for (const [row, contentType, body, status, code] of raw)
    test(`${row}: ${status} ${code}`, async () => {
      const service = use()
      const { key } = await service.customer()
      const answer = await service.send({
        method: 'POST',
        path: '/mockups/generate',
        key,
        ...(contentType === null ? {} : { headers: { 'Content-Type': contentType } }),
        ...(body === null ? {} : { body: typeof body === 'string' ? Buffer.from(body) : body }),
      })
      assert.deepEqual([answer.status, errorOf(answer).code], [status, code], JSON.stringify(answer.json))
    })

  test('artwork_url in a form: the hint says that it is JSON only', async () => {
    const service = use()
    const { key } = await service.customer()
    const answer = await service.generate(key, await form([id, ['artwork_url', 'http://example.com/']]))
    assert.match(String(errorOf(answer).hint), /JSON/)
  })

  test('a file of exactly 20 MiB is read, one byte more is 413 ARTWORK_FILE_TOO_LARGE', async () => {
    const service = use()
    const { key } = await service.customer()
    for (const [sizeBytes, status, code] of [
      [20 * 1024 * 1024, 400, 'INVALID_ARTWORK'],
      [20 * 1024 * 1024 + 1, 413, 'ARTWORK_FILE_TOO_LARGE'],
    ] as const) {
      const answer = await service.generate(key, await form([id, ['artwork', new Blob([new Uint8Array(sizeBytes)])]]))
      assert.deepEqual([answer.status, errorOf(answer).code], [status, code])
    }
    assert.equal(await service.balance(key), 1000)
  })

  test('a compressed body is 415', async () => {
    const service = use()
    const { key } = await service.customer()
    const answer = await service.generate(key, Buffer.from('x'), {
      'Content-Type': JSON_TYPE,
      'Content-Encoding': 'gzip',
    })
    assert.deepEqual([answer.status, errorOf(answer).code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})
