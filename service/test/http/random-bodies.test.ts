import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assert as assertProperty,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  string,
  uint8Array,
} from 'fast-check'
import { TestService } from './test-service.ts'

const runs = process.env['VITRINE_TEST_SIZE'] === 'full' ? 2000 : 20
let service: TestService | null = null
let key = ''
before(async () => {
  service = await TestService.start('sqlite')
  key = (await service.customer(0)).key
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
})

const field = <Value>(value: Value) =>
  oneof({ weight: 3, arbitrary: constant(value) }, { weight: 1, arbitrary: jsonValue() })
/** Nearly valid bodies, so that faults beyond the first check are found. */
const nearlyGood = record(
  {
    template_id: oneof(field('one-frame'), field('two-frames'), string()),
    template_ids: oneof(field(['one-frame']), jsonValue()),
    artwork_url: oneof(field('http://no-such-name.invalid/'), string()),
    artwork_urls: oneof(dictionary(oneof(string(), integer().map(String)), jsonValue()), jsonValue()),
    format: oneof(constantFrom('jpeg', 'png'), jsonValue()),
    quality: oneof(integer(), jsonValue()),
    width: oneof(integer(), jsonValue()),
    response_format: oneof(constantFrom('json', 'binary'), jsonValue()),
  },
  { requiredKeys: [] },
)

/** Sends bytes as a body; the answer must be documented (otherwise `send` fails), and blame the caller. */
async function assertRefused(
  contentType: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<void> {
  assert(service !== null)
  const answer = await service.generate(key, body, { 'Content-Type': contentType, ...headers })
  assert(answer.status >= 400 && answer.status < 500, `${answer.status} ${JSON.stringify(answer.json)}`)
}

test('no JSON body, however odd, gives a 5xx or an undocumented answer', async () => {
  const bodies = oneof(nearlyGood, jsonValue())
  await assertProperty(
    asyncProperty(bodies, option(string({ minLength: 1, unit: 'grapheme-ascii' })), async (body, idempotencyKey) => {
      const trimmed = idempotencyKey?.trim() ?? ''
      const headers = trimmed === '' ? {} : { 'Idempotency-Key': trimmed }
      await assertRefused('application/json', Buffer.from(JSON.stringify(body)), headers)
    }),
    { numRuns: runs },
  )
})

test('no bytes as a body give a 5xx or an undocumented answer', async () => {
  const types = constantFrom('application/json', 'multipart/form-data; boundary=b', 'multipart/form-data; boundary="b"')
  await assertProperty(
    asyncProperty(types, uint8Array({ maxLength: 2000 }), (contentType, body) => assertRefused(contentType, body)),
    { numRuns: runs },
  )
})

test('no multipart form, however odd, gives a 5xx or an undocumented answer', async () => {
  const names = oneof(
    constantFrom(
      'template_id',
      'template_ids',
      'template_ids[]',
      'artwork',
      'artwork_0',
      'artwork_url',
      'artwork_urls',
      'width',
      'quality',
      'format',
      '__proto__',
      'constructor',
    ),
    string(),
  )
  const parts = record({
    name: names,
    value: oneof(
      string(),
      jsonValue().map(value => JSON.stringify(value)),
    ),
    isFile: constantFrom(true, false),
  })
  const forms = dictionary(string(), parts, { maxKeys: 8 }).map(entries => Object.values(entries))
  await assertProperty(
    asyncProperty(forms, async form => {
      const data = new FormData()
      for (const { name, value, isFile } of form) {
        if (isFile) data.append(name, new Blob([value]), value)
        else data.append(name, value)
      }
      assert(service !== null)
      const answer = await service.generate(key, data)
      assert(answer.status >= 400 && answer.status < 500, `${answer.status} ${JSON.stringify(answer.json)}`)
    }),
    { numRuns: runs },
  )
})
