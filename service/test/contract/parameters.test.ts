import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Customer, describeOnOneDatabase, errorOf, type TestService } from '../http/test-service.ts'

/** A body that succeeds, as a function of the service so that it can use its origin. */
type Body = (service: TestService) => Record<string, unknown>

const good: Body = ({ origin }) => ({ template_id: 'one-frame', artwork_url: `${origin.url}/red.png`, width: 16 })
const withFields =
  (fields: Record<string, unknown>): Body =>
  service => ({ ...good(service), ...fields })
const without =
  (...names: string[]): Body =>
  service =>
    Object.fromEntries(Object.entries(good(service)).filter(([name]) => !names.includes(name)))
const batch = (ids: unknown, fields: Record<string, unknown> = {}): Body => {
  return service => ({ ...without('template_id')(service), template_ids: ids, response_format: 'json', ...fields })
}
const byFrame =
  (urls: (origin: string) => unknown, fields: Record<string, unknown> = {}): Body =>
  service => ({ ...without('artwork_url')(service), artwork_urls: urls(service.origin.url), ...fields })

const twelve = Array.from({ length: 12 }, () => 'one-frame')
const longUrl = (length: number) => (origin: string) => `${origin}/red.png?${'x'.repeat(length)}`.slice(0, length)

const refused: readonly [row: string, body: Body, status: number, code: string, details?: unknown][] = [
  [
    'template_id and template_ids both sent',
    withFields({ template_ids: ['one-frame'], response_format: 'json' }),
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['template_id', 'template_ids'] },
  ],
  [
    'artwork_url and artwork_urls both sent',
    withFields({ artwork_urls: { 0: 'http://example.com/' } }),
    400,
    'CONFLICTING_PARAMETERS',
    { parameters: ['artwork_url', 'artwork_urls'] },
  ],
  ['neither template_id nor template_ids', without('template_id'), 400, 'MISSING_TEMPLATE_ID'],
  ['template_ids an empty array', batch([]), 400, 'MISSING_TEMPLATE_ID'],
  ['13 template_ids', batch([...twelve, 'one-frame']), 400, 'TOO_MANY_TEMPLATES', { max: 12, received: 13 }],
  [
    '65 template_ids, whatever they are',
    batch(Array.from({ length: 65 }, () => 7)),
    400,
    'TOO_MANY_TEMPLATES',
    { max: 12, received: 65 },
  ],
  ['64 template_ids of another type', batch(Array.from({ length: 64 }, () => 7)), 400, 'INVALID_PARAMETER'],
  ['template_ids without response_format', batch(['one-frame'], { response_format: null }), 400, 'BATCH_REQUIRES_JSON'],
  [
    'template_ids with response_format binary',
    batch(['one-frame'], { response_format: 'binary' }),
    400,
    'BATCH_REQUIRES_JSON',
  ],
  [
    'some ids unknown',
    batch(['one-frame', 'nobody', 'nothing', 'nobody']),
    404,
    'TEMPLATE_NOT_FOUND',
    { missing_template_ids: ['nobody', 'nothing'] },
  ],
  [
    'template_id a number',
    withFields({ template_id: 7 }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'template_id', received: 7, allowed: 'a template id (text)' },
  ],
  [
    'template_ids a text',
    batch('one-frame'),
    400,
    'INVALID_PARAMETER',
    { parameter: 'template_ids', received: 'one-frame', allowed: 'a list of 1 to 12 template ids (texts)' },
  ],
  ['template_ids with a number in it', batch(['one-frame', 7]), 400, 'INVALID_PARAMETER'],
  ['template_ids with an empty text in it', batch(['one-frame', '']), 400, 'INVALID_PARAMETER'],
  [
    'artwork_url a list',
    withFields({ artwork_url: [] }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'artwork_url', received: 'an empty list', allowed: 'a URL (text)' },
  ],
  ['artwork_urls a list', byFrame(origin => [`${origin}/red.png`]), 400, 'INVALID_PARAMETER'],
  [
    '65 entries in artwork_urls, whatever they are',
    byFrame(() => Object.fromEntries(Array.from({ length: 65 }, (_, index) => [index, 5]))),
    400,
    'INVALID_PARAMETER',
    { parameter: 'artwork_urls', received: '65 entries', allowed: 'at most 64 entries' },
  ],
  [
    '64 entries in artwork_urls, of which 63 are for no frame: ten are named',
    byFrame(origin => Object.fromEntries(Array.from({ length: 64 }, (_, index) => [index, `${origin}/red.png`]))),
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'], frame_count: 1 },
  ],
  [
    'artwork_urls with a number in it',
    byFrame(() => ({ 0: 5 })),
    400,
    'INVALID_PARAMETER',
    { parameter: 'artwork_urls.0', received: 5, allowed: 'a URL (text)' },
  ],
  [
    'format of another name',
    withFields({ format: 'webp' }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'format', received: 'webp', allowed: ['jpeg', 'png'] },
  ],
  ['format in capitals', withFields({ format: 'JPEG' }), 400, 'INVALID_PARAMETER'],
  ['placement a list', withFields({ placement: [] }), 400, 'INVALID_PARAMETER'],
  [
    'a misspelt field of a placement, which would be charged for',
    withFields({ placement: { roation: 17 } }),
    400,
    'INVALID_PARAMETER',
    {
      parameter: 'placement',
      received: 'roation',
      allowed: ['fit', 'focus', 'scale', 'rotation', 'x', 'y', 'flip', 'repeat', 'background'],
    },
  ],
  [
    'scale below its range',
    withFields({ placement: { scale: 0.049 } }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'placement.scale', received: 0.049, allowed: 'a number from 0.05 to 20' },
  ],
  ['scale above its range', withFields({ placement: { scale: 20.01 } }), 400, 'INVALID_PARAMETER'],
  ['rotation above its range', withFields({ placement: { rotation: 361 } }), 400, 'INVALID_PARAMETER'],
  ['rotation as a text', withFields({ placement: { rotation: '17' } }), 400, 'INVALID_PARAMETER'],
  ['x below its range', withFields({ placement: { x: -2.1 } }), 400, 'INVALID_PARAMETER'],
  ['y above its range', withFields({ placement: { y: 3.1 } }), 400, 'INVALID_PARAMETER'],
  ['fit of another name', withFields({ placement: { fit: 'fill' } }), 400, 'INVALID_PARAMETER'],
  ['flip of another name', withFields({ placement: { flip: 'x' } }), 400, 'INVALID_PARAMETER'],
  [
    'repeat of another name',
    withFields({ placement: { repeat: 'x' } }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'placement.repeat', received: 'x', allowed: ['none', 'tile', 'mirror'] },
  ],
  ['focus of one number', withFields({ placement: { focus: [0.5] } }), 400, 'INVALID_PARAMETER'],
  ['focus beside the artwork', withFields({ placement: { focus: [0.5, 1.1] } }), 400, 'INVALID_PARAMETER'],
  ['background by its name', withFields({ placement: { background: 'navy' } }), 400, 'INVALID_PARAMETER'],
  [
    'a fault in the placement of one frame',
    withFields({ placements: { 0: { fit: 'fill' } } }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'placements.0.fit', received: 'fill', allowed: ['cover', 'contain', 'stretch'] },
  ],
  ['a placement of one frame that is no object', withFields({ placements: { 0: 5 } }), 400, 'INVALID_PARAMETER'],
  [
    '65 entries in placements, whatever they are',
    withFields({ placements: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [index, 5])) }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'placements', received: '65 entries', allowed: 'at most 64 entries' },
  ],
  [
    'a placement for a frame that there is not',
    withFields({ placements: { 1: {}, x: {} } }),
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['1', 'x'], frame_count: 1 },
  ],
  [
    'a fault of a placement comes before one of the output',
    withFields({ placement: 5, width: 0 }),
    400,
    'INVALID_PARAMETER',
  ],
  [
    'quality 0',
    withFields({ quality: 0 }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'quality', received: 0, allowed: 'an integer from 1 to 100' },
  ],
  ['quality 101', withFields({ quality: 101 }), 400, 'INVALID_PARAMETER'],
  ['quality 101 with png', withFields({ quality: 101, format: 'png' }), 400, 'INVALID_PARAMETER'],
  ['quality with a fraction', withFields({ quality: 85.5 }), 400, 'INVALID_PARAMETER'],
  ['quality as a text', withFields({ quality: '85' }), 400, 'INVALID_PARAMETER'],
  ['width 0', withFields({ width: 0 }), 400, 'INVALID_PARAMETER'],
  [
    'width 4001',
    withFields({ width: 4001 }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'width', received: 4001, allowed: 'an integer from 1 to 4000' },
  ],
  [
    'width 4000 is no fault: the next one answers',
    withFields({ width: 4000, template_id: 'no' }),
    404,
    'TEMPLATE_NOT_FOUND',
  ],
  ['width -1', withFields({ width: -1 }), 400, 'INVALID_PARAMETER'],
  ['width 2^53', withFields({ width: 2 ** 53 }), 400, 'INVALID_PARAMETER'],
  [
    'response_format of another name',
    withFields({ response_format: 'xml' }),
    400,
    'INVALID_PARAMETER',
    { parameter: 'response_format', received: 'xml', allowed: ['binary', 'json'] },
  ],
  ['response_format true', withFields({ response_format: true }), 400, 'INVALID_PARAMETER'],
  ['template_id null', withFields({ template_id: null }), 400, 'MISSING_TEMPLATE_ID'],
  ['template_id an empty text', withFields({ template_id: '' }), 400, 'MISSING_TEMPLATE_ID'],
  ['template_id blanks', withFields({ template_id: ' ' }), 400, 'MISSING_TEMPLATE_ID'],
  ['no artwork', without('artwork_url'), 400, 'MISSING_ARTWORK'],
  [
    'artwork in a JSON body alone',
    service => ({ ...without('artwork_url')(service), artwork: 'data' }),
    400,
    'MISSING_ARTWORK',
  ],
  ['artwork_url an empty text', withFields({ artwork_url: '' }), 400, 'INVALID_ARTWORK_URL'],
  [
    'a template_id that is a path',
    withFields({ template_id: '../../etc/passwd' }),
    404,
    'TEMPLATE_NOT_FOUND',
    { missing_template_ids: ['../../etc/passwd'] },
  ],
  ['a template_id with a zero byte', withFields({ template_id: 'a\0b' }), 404, 'TEMPLATE_NOT_FOUND'],
  ['a template_id of 10 KB', withFields({ template_id: 'x'.repeat(10_240) }), 404, 'TEMPLATE_NOT_FOUND'],
  [
    'artwork_urls lacks a frame',
    byFrame(origin => ({ 0: `${origin}/red.png` }), { template_id: 'two-frames' }),
    400,
    'MISSING_ARTWORK',
    { missing_frames: [{ template_id: 'two-frames', frames: [1] }] },
  ],
  [
    'artwork_urls is empty',
    byFrame(() => ({})),
    400,
    'MISSING_ARTWORK',
    { missing_frames: [{ template_id: 'one-frame', frames: [0] }] },
  ],
  ['artwork_urls has null for a frame', byFrame(() => ({ 0: null })), 400, 'MISSING_ARTWORK'],
  [
    'artwork_urls key that is no frame',
    byFrame(origin => ({ 0: `${origin}/red.png`, 1: `${origin}/red.png` })),
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['1'], frame_count: 1 },
  ],
  [
    'artwork_urls key with a leading zero',
    byFrame(origin => ({ 0: `${origin}/red.png`, '00': `${origin}/red.png` })),
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['00'], frame_count: 1 },
  ],
  [
    'artwork_urls key __proto__',
    byFrame(origin => JSON.parse(`{"0":"${origin}/red.png","__proto__":"${origin}/red.png"}`)),
    400,
    'INVALID_FRAME_INDEX',
    { invalid_frames: ['__proto__'], frame_count: 1 },
  ],
  ['a URL without http', withFields({ artwork_url: 'ftp://example.com/a.png' }), 400, 'INVALID_ARTWORK_URL'],
  [
    'a URL with a blank before it',
    service => ({ ...good(service), artwork_url: ` ${service.origin.url}/red.png` }),
    400,
    'INVALID_ARTWORK_URL',
  ],
  ['text that only begins like a URL', withFields({ artwork_url: 'http://' }), 400, 'INVALID_ARTWORK_URL'],
  [
    'a URL of 8,193 characters',
    service => ({ ...good(service), artwork_url: longUrl(8193)(service.origin.url) }),
    400,
    'INVALID_ARTWORK_URL',
  ],
  [
    'a bad URL inside artwork_urls',
    byFrame(() => ({ 0: 'file:///etc/passwd' })),
    400,
    'INVALID_ARTWORK_URL',
    { frame: 0 },
  ],
  [
    'a URL with credentials',
    withFields({ artwork_url: 'http://user:pass@example.com/a.png' }),
    400,
    'INVALID_ARTWORK_URL',
  ],
]

const accepted: readonly [row: string, body: Body, credits?: number][] = [
  ['one id in template_ids', batch(['one-frame'])],
  ['12 template_ids, the same id each', batch(twelve), 12],
  [
    'fields that are null',
    withFields({ format: null, quality: null, response_format: null, template_ids: null, artwork_urls: null }),
  ],
  ['quality with png', withFields({ quality: 1, format: 'png' })],
  ['width 1', withFields({ width: 1 })],
  ['quality 1', withFields({ quality: 1 })],
  ['quality 100', withFields({ quality: 100 })],
  ['unknown fields', withFields({ colour: 'red', artwork: 5, artwork_0: {}, __proto__x: 1 })],
  ['artwork_url with a template of two frames', withFields({ template_id: 'two-frames' })],
  ['artwork_urls with a template of one frame', byFrame(origin => ({ 0: `${origin}/red.png` }))],
  [
    'artwork_urls with template_ids',
    byFrame(origin => ({ 0: `${origin}/red.png`, 1: `${origin}/blue.png` }), {
      template_id: null,
      template_ids: ['one-frame', 'two-frames'],
      response_format: 'json',
    }),
    2,
  ],
  [
    'HTTP:// in capitals',
    service => ({ ...good(service), artwork_url: `${service.origin.url.replace('http', 'HTTP')}/red.png` }),
  ],
  ['a URL of 8,192 characters', service => ({ ...good(service), artwork_url: longUrl(8192)(service.origin.url) })],
]

describeOnOneDatabase('interface.md, "Parameters"', use => {
  let customer: Customer | null = null
  const caller = async (service: TestService) => (customer ??= await service.customer(10_000))

  for (const [row, body, status, code, details] of refused)
    test(`${row}: ${status} ${code}, and nothing is charged`, async () => {
      const service = use()
      const { key } = await caller(service)
      const before = await service.balance(key)
      const answer = await service.generate(key, body(service))
      assert.deepEqual([answer.status, errorOf(answer).code], [status, code])
      if (details !== undefined) assert.deepEqual(errorOf(answer).details, details)
      if (code === 'INVALID_PARAMETER') assert.match(errorOf(answer).error, /^Expected .+ for .+ but received .+\.$/s)
      assert.equal(await service.balance(key), before)
    })

  test('an error is small, whatever is in the request', async () => {
    const service = use()
    const { key } = await caller(service)
    const long = (index: number) => `${index}`.padStart(15_000, 'x')
    const many = Array.from({ length: 64 }, (_, index) => long(index))
    for (const [body, code] of [
      [byFrame(() => Object.fromEntries(many.map(frame => [frame, 'http://x.invalid/']))), 'INVALID_FRAME_INDEX'],
      [byFrame(() => Object.fromEntries(many.map(frame => [frame, 'x']))), 'INVALID_ARTWORK_URL'],
      [batch(many.slice(0, 12)), 'TEMPLATE_NOT_FOUND'],
      [withFields({ format: many.join('') }), 'INVALID_PARAMETER'],
    ] as const) {
      const answer = await service.generate(key, body(service))
      assert.equal(errorOf(answer).code, code)
      assert(answer.bytes.length <= 2048, `${code}: ${answer.bytes.length} bytes`)
    }
  })

  for (const [row, body, credits = 1] of accepted)
    test(`${row}: 200 for ${credits} credits`, async () => {
      const service = use()
      const { key } = await caller(service)
      const before = await service.balance(key)
      const answer = await service.generate(key, body(service))
      assert.equal(answer.status, 200, JSON.stringify(answer.json))
      assert.equal(await service.balance(key), before - credits)
    })
})
