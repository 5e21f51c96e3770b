import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { makePreviews, PREVIEW_BYTES_MAX } from '../../src/mcp/make-previews.ts'
import { launcher } from '../cli/run-vitrine.ts'
import { makeScratchFolder } from '../cli/scratch-folder.ts'
import { TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'

const scratch = makeScratchFolder('mcp')
const root = path.join(scratch, 'root')
const eras = ['legacy', { pin: '2026-07-28' }] as const
let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
  await mkdir(path.join(root, 'inside'), { recursive: true })
  await writeFile(path.join(root, 'art.png'), await plainPicture(40, 40, [255, 0, 0]))
  await writeFile(path.join(root, 'notes.png'), 'no picture')
  await writeFile(path.join(scratch, 'secret.png'), await plainPicture(40, 40, [0, 255, 0]))
  await symlink(path.join(scratch, 'secret.png'), path.join(root, 'inside/link.png'))
  await symlink(scratch, path.join(root, 'inside/out'))
})
after(() => service[Symbol.asyncDispose]())

type Era = (typeof eras)[number]

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport, era: Era) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  await client.connect(transport)
  return client
}
const overStdio = (environment: Record<string, string>, era: Era = 'legacy') =>
  connect(
    new StdioClientTransport({
      command: launcher,
      args: ['mcp', '--root', root],
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stderr: 'inherit',
    }),
    era,
  )
const overHttp = (key: string, era: Era) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${service.running.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
    era,
  )
const ofService = (key: string) => ({ VITRINE_URL: service.running.url, VITRINE_API_KEY: key })

const made = z.looseObject({
  mockups: z.array(
    z.looseObject({
      template_id: z.string(),
      path: z.string().nullable(),
      url: z.string().nullable(),
      size_bytes: z.int(),
    }),
  ),
  failures: z.array(z.looseObject({ template_id: z.string(), error: z.string() })),
  credits_used: z.int(),
  credits_remaining: z.int().nullable(),
})
const content = z.array(z.looseObject({ type: z.string(), text: z.string().optional(), data: z.string().optional() }))

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError, structuredContent, content: parts } = await client.callTool({ name, arguments: given })
  const said = content.parse(parts)
  return {
    isError: isError === true,
    structured: structuredContent,
    text: said.flatMap(({ text }) => text ?? []).join('\n'),
    images: said.flatMap(({ type, data }) => (type === 'image' ? Buffer.from(data ?? '', 'base64') : [])),
  }
}

for (const era of eras)
  test(`an assistant finds a template, looks at it and makes mockups, over HTTP, protocol ${JSON.stringify(era)}`, async () => {
    const { key } = await service.customer(100)
    const client = await overHttp(key, era)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name, annotations, outputSchema }) => [name, annotations?.readOnlyHint, outputSchema !== undefined]),
      [
        ['list_templates', true, true],
        ['show_template', true, true],
        ['create_mockup', false, true],
        ['get_balance', true, true],
        ['get_usage', true, true],
      ],
    )
    assert.match(tools[2]?.description ?? '', /costs 1 credit/)
    assert.match((await call(client, 'list_templates', { search: 'one' })).text, /^one-frame: /)
    const shown = await call(client, 'show_template', { id: 'two-frames' })
    assert.equal(shown.images[0]?.subarray(0, 3).toString('hex'), 'ffd8ff')
    const artwork = `${service.origin.url}/red.png`
    const mockups = await call(client, 'create_mockup', { templates: ['one-frame', 'two-frames'], artwork, width: 900 })
    const result = made.parse(mockups.structured)
    assert.deepEqual([result.credits_used, result.credits_remaining, mockups.images.length], [2, 98, 2])
    const picture = Buffer.from(await (await fetch(result.mockups[0]?.url ?? '')).arrayBuffer())
    assert.equal(picture.subarray(0, 3).toString('hex'), 'ffd8ff')
    const again = await call(client, 'create_mockup', { templates: ['one-frame', 'two-frames'], artwork, width: 900 })
    assert.equal(made.parse(again.structured).credits_used, 0)
    assert.match((await call(client, 'get_balance')).text, /^98 credits$/)
    assert.equal((await call(client, 'get_usage', { period: '1d' })).isError, false)
    await client.close()
  })

test('calls over HTTP start no process for previews, and a repeated call gets the first one’s preview', async () => {
  const { key } = await service.customer(100)
  const client = await overHttp(key, 'legacy')
  const artwork = `${service.origin.url}/red.png`
  const order = { templates: ['one-frame'], artwork, width: 777 }
  const started: ChildProcess[] = []
  const note = (message: unknown) =>
    started.push(z.object({ process: z.instanceof(ChildProcess) }).parse(message).process)
  channel('child_process').subscribe(note)
  const [first, other] = await Promise.all([
    call(client, 'create_mockup', order),
    call(client, 'create_mockup', { ...order, width: 778 }),
  ])
  assert.deepEqual([first.images.length, other.images.length], [1, 1])
  const repeats = await Promise.all(Array.from({ length: 20 }, () => call(client, 'create_mockup', order)))
  for (const { images, structured } of repeats) {
    assert.equal(made.parse(structured).credits_used, 0)
    assert.deepEqual(images, first.images)
  }
  channel('child_process').unsubscribe(note)
  const [mockup] = made.parse(first.structured).mockups
  const picture = await fetch(mockup?.url ?? '').then(answer => answer.arrayBuffer())
  assert.equal(mockup?.size_bytes, picture.byteLength, 'the complete picture is at its address')
  // Templates are prepared in the background, in separate processes.
  const programs = started.flatMap(({ spawnargs }) => spawnargs)
  assert.deepEqual(
    programs.filter(each => each.includes('preview-worker')),
    [],
  )
  await client.close()
})

for (const era of eras)
  test(`artwork is given by path and mockups are saved as files, on stdio, protocol ${JSON.stringify(era)}`, async () => {
    const { key } = await service.customer(100)
    const client = await overStdio(ofService(key), era)
    const order = {
      templates: ['one-frame'],
      artwork: 'art.png',
      width: 800,
      save_to: `made/${JSON.stringify(era).length}`,
    }
    const first = await call(client, 'create_mockup', order)
    const [mockup] = made.parse(first.structured).mockups
    assert.equal((await readFile(mockup?.path ?? '')).subarray(0, 3).toString('hex'), 'ffd8ff')
    assert.equal(path.basename(mockup?.path ?? ''), 'art-one-frame.jpg')
    const [image] = first.images
    assert.ok(image !== undefined && image.length < PREVIEW_BYTES_MAX)
    // The same call again returns the same file free of charge; another picture with the same name gets a
    // number.
    const again = made.parse((await call(client, 'create_mockup', order)).structured)
    assert.deepEqual([again.credits_used, again.mockups[0]?.path], [0, mockup?.path])
    const wider = made.parse((await call(client, 'create_mockup', { ...order, width: 801 })).structured)
    assert.equal(path.basename(wider.mockups[0]?.path ?? ''), 'art-one-frame-2.jpg')
    const over = made.parse((await call(client, 'create_mockup', { ...order, width: 802, overwrite: true })).structured)
    assert.equal(over.mockups[0]?.path, mockup?.path)
    await client.close()
  })

test('no path leads out of the folder, only pictures are read, and a limit of credits is respected', async () => {
  const { key } = await service.customer(1)
  const client = await overStdio(ofService(key))
  const refused: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ artwork: '../secret.png' }, /below/],
    [{ artwork: path.join(scratch, 'secret.png') }, /below/],
    [{ artwork: 'inside/link.png' }, /below/],
    [{ artwork: 'inside/out/secret.png' }, /below/],
    [{ artwork: '/etc/passwd' }, /below/],
    [{ artwork: 'gone.png' }, /below/],
    [{ artwork: 'inside' }, /is none|EISDIR/],
    [{ artwork: 'notes.png' }, /cannot be used/],
    [{ artwork: 'art.png', save_to: '../elsewhere' }, /below/],
    [{ artwork: 'art.png', save_to: 'inside/out/new' }, /below/],
    [{ artwork: 'art.png', max_credits: 0 }, /max_credits/],
    [{}, /artwork, for all frames/],
    [{ artworks: ['art.png', 'gone.png'] }, /below/],
  ]
  for (const [given, sentence] of refused) {
    const answer = await call(client, 'create_mockup', { templates: ['one-frame'], ...given })
    assert.equal(answer.isError, true, JSON.stringify(given))
    assert.match(answer.text, sentence)
  }
  assert.ok(!(await readdir(scratch)).includes('elsewhere') && !(await readdir(scratch)).includes('new'))
  assert.equal(await service.balance(key), 1)
  const poor = await call(client, 'create_mockup', {
    templates: ['no-such', 'one-frame', 'one-frame', 'two-frames'],
    artwork: 'art.png',
  })
  const { mockups, failures, credits_used } = made.parse(poor.structured)
  assert.deepEqual([mockups.length, credits_used], [2, 1])
  assert.match(failures[0]?.error ?? '', /TEMPLATE_NOT_FOUND/)
  assert.match(failures[1]?.error ?? '', /INSUFFICIENT_CREDITS/)
  await client.close()
})

test('a mockup that cannot be saved is reported as paid for, and can be fetched; artwork may be a file URI', async () => {
  const { key } = await service.customer(10)
  const client = await overStdio(ofService(key))
  await mkdir(path.join(root, 'taken/art-one-frame.jpg'), { recursive: true })
  const artwork = pathToFileURL(path.join(root, 'art.png')).href
  const order = { templates: ['one-frame', 'two-frames'], artwork, width: 64, save_to: 'taken', overwrite: true }
  const { mockups, failures, credits_used } = made.parse((await call(client, 'create_mockup', order)).structured)
  assert.deepEqual([mockups.length, credits_used, await service.balance(key)], [1, 2, 8])
  assert.equal(mockups[0]?.path, path.join(root, 'taken/art-two-frames.jpg'))
  const [, url = ''] =
    /was made, but it cannot be saved: .* can be fetched at (\S+)\.$/.exec(failures[0]?.error ?? '') ?? []
  assert.equal((await fetch(url)).status, 200)
  await client.close()
  const remote = await overHttp(key, 'legacy')
  const { isError, text } = await call(remote, 'create_mockup', { templates: ['one-frame'], artwork })
  assert.ok(isError)
  assert.match(text, /received one with file:/)
  await remote.close()
})

test('without a service mockups are made on this machine, and previews of twelve fit into an answer', async () => {
  const client = await overStdio({})
  const { tools } = await client.listTools()
  assert.ok(!tools.some(({ name }) => name === 'get_balance'))
  assert.match((await call(client, 'list_templates', { type: 'product', search: 'mug' })).text, /white-mug-marble/)
  assert.equal((await call(client, 'show_template', { id: 'white-mug-marble' })).images.length, 1)
  const templates = ['oak-frame-portrait', 'black-frame-landscape']
  const answer = await call(client, 'create_mockup', { templates, artwork: 'art.png', width: 700, save_to: 'local' })
  const { mockups, credits_used, credits_remaining } = made.parse(answer.structured)
  assert.deepEqual([mockups.length, credits_used, credits_remaining, answer.images.length], [2, 0, null, 2])
  const files = mockups.map(({ path }) => path ?? '')
  const previews = (await makePreviews(Array.from({ length: 6 }, () => files).flat())) ?? []
  const lengths = previews.map(preview => Buffer.from(preview, 'base64').length)
  assert.equal(lengths.filter(length => length > 0).length, 12)
  assert.ok(lengths.reduce((sum, length) => sum + length, 0) <= PREVIEW_BYTES_MAX)
  const { resources } = await client.listResources()
  assert.ok(resources.length >= 8)
  const { contents } = await client.readResource({ uri: 'vitrine://guide/errors' })
  assert.match(JSON.stringify(contents), /INSUFFICIENT_CREDITS/)
  await client.close()
})

test('over HTTP a key is required, pages of other origins are refused, and calls count as requests', async () => {
  const { key } = await service.customer(10)
  const post = (headers: Record<string, string>) =>
    fetch(`${service.running.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  const without = await post({})
  assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, 'Bearer'])
  const foreign = await post({ Authorization: `Bearer ${key}`, Origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  const good = await post({ Authorization: `Bearer ${key}` })
  assert.equal(good.status, 200, await good.clone().text())
  const [before, next] = [good, await post({ Authorization: `Bearer ${key}` })].map(({ headers }) =>
    Number(headers.get('x-ratelimit-remaining')),
  )
  assert.equal(next, (before ?? 0) - 1)
  assert.equal((await fetch(`${service.running.url}/mcp`)).status, 405)
})
