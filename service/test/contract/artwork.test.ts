import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeContract, errorOf, type TestService } from '../http/test-service.ts'

type Url = string | ((origin: string) => string)
const urlOf = (url: Url, { origin }: TestService) => (typeof url === 'string' ? url : url(origin.url))

const refused: readonly [row: string, url: Url, status: number, code: string, details?: unknown][] = [
  ['a literal loopback address', 'http://127.0.0.1/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a loopback address in one number', 'http://2130706433/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a loopback address in IPv6', 'http://[::ffff:127.0.0.1]/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a private address', 'http://10.0.0.1/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['the metadata address', 'http://169.254.169.254/latest/meta-data/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['localhost', 'http://localhost/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a redirect to a private address', origin => `${origin}/to-private`, 400, 'ARTWORK_URL_FORBIDDEN'],
  ['404', origin => `${origin}/status/404`, 400, 'IMAGE_URL_NOT_FOUND'],
  ['410', origin => `${origin}/status/410`, 400, 'IMAGE_URL_NOT_FOUND'],
  ['403', origin => `${origin}/status/403`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'bad_status', status: 403 }],
  ['500', origin => `${origin}/status/500`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'bad_status', status: 500 }],
  [
    'a name that does not exist',
    'http://no-such-name.invalid/',
    400,
    'ARTWORK_FETCH_FAILED',
    { reason: 'name_not_resolved' },
  ],
  ['a connection that is reset', origin => `${origin}/reset`, 400, 'ARTWORK_FETCH_FAILED'],
  ['6 redirects', origin => `${origin}/redirect/6`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'too_many_redirects' }],
  ['over 20 MB', origin => `${origin}/large`, 413, 'ARTWORK_FILE_TOO_LARGE'],
  ['an answer that never comes', origin => `${origin}/stall`, 408, 'IMAGE_FETCH_TIMEOUT'],
  ['bytes that are no picture', origin => `${origin}/text`, 400, 'INVALID_ARTWORK'],
  ['no bytes', origin => `${origin}/empty`, 400, 'INVALID_ARTWORK'],
]

describeContract(
  'decisions.md, "Artwork download" and "Artwork picture"',
  use => {
    for (const [row, url, status, code, details] of refused)
      test(`${row}: ${status} ${code}, and the credit comes back`, async () => {
        const service = use()
        const { key } = await service.customer(1)
        const body = { template_id: 'one-frame', artwork_url: urlOf(url, service), width: 16 }
        const answer = await service.generate(key, body)
        assert.deepEqual([answer.status, errorOf(answer).code], [status, code], JSON.stringify(answer.json))
        if (details !== undefined) assert.deepEqual(errorOf(answer).details, details)
        assert.equal(await service.balance(key), 1)
      })

    test('5 redirects are followed', async () => {
      const service = use()
      const { key } = await service.customer()
      const answer = await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/redirect/5`,
        width: 16,
      })
      assert.equal(answer.status, 200)
    })

    test('the same URL for two frames is fetched once', async () => {
      const service = use()
      const { key } = await service.customer()
      const url = `${service.origin.url}/red.png?once`
      const answer = await service.generate(key, {
        template_id: 'two-frames',
        artwork_urls: { 0: url, 1: url },
        width: 16,
      })
      assert.equal(answer.status, 200)
      assert.equal(service.origin.asked.filter(path => path === '/red.png?once').length, 1)
    })

    test('a fault of one frame names it', async () => {
      const service = use()
      const { key } = await service.customer()
      const { url } = service.origin
      const answer = await service.generate(key, {
        template_id: 'two-frames',
        artwork_urls: { 0: `${url}/red.png`, 1: `${url}/text` },
        width: 16,
      })
      assert.deepEqual(
        [errorOf(answer).code, errorOf(answer).details],
        ['INVALID_ARTWORK', { reason: 'unsupported_type', frame: 1 }],
      )
    })

    test('the query of an artwork URL is in no log line', async () => {
      const service = use()
      const { key } = await service.customer()
      await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/status/403?signature=SECRETQUERY`,
        width: 16,
      })
      await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/red.png?signature=SECRETQUERY`,
        width: 16,
      })
      assert(service.origin.asked.some(path => path.includes('SECRETQUERY')))
      assert(!service.log.join('').includes('SECRETQUERY'))
    })
  },
  // The deadline itself is an operator's setting; 15 s would only make this test slow.
  { environment: { ARTWORK_TIMEOUT_SECONDS: '2' } },
)
