/** The programs of docs/recipes against a service; a server in place of the shop checks their requests. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { runHere } from '../cli/run-here.ts'
import { makeScratchFolder } from '../cli/scratch-folder.ts'
import { TestService } from '../http/test-service.ts'
import { plainPicture, writeBundle } from '../mockups/test-bundle.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const recipes = path.join(root, 'examples/recipes')
const scratch = makeScratchFolder('recipes')
const templateIds = ['oak-frame-portrait', 'white-mug-walnut-table']
const SECRET = 'webhook-secret'

let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
  for (const id of templateIds) await service.addBundles(await writeBundle(path.join(scratch, 'bundles'), id, 1))
})
after(() => service[Symbol.asyncDispose]())

type Received = {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: unknown
}

/** Stands in for the shop's own API: records the request and gives this answer. */
async function startShop(answer: unknown) {
  const received = Promise.withResolvers<Received>()
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request
    json(request).then(body => {
      received.resolve({ method, url, headers, body })
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer))
    }, received.reject)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = z.object({ port: z.int() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: received.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const environmentOf = (key: string) => ({
  PATH: process.env['PATH'] ?? '',
  VITRINE_URL: service.running.url,
  VITRINE_API_KEY: key,
  TEMPLATES: templateIds.join(','),
})

/** Starts a program that receives webhooks, on any free port. */
async function startProgram(file: string, environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [path.join(recipes, file)], {
    env: { ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /port: (\d+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', code => reject(new Error(`${file} ended with ${code}: ${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const sign = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('base64')

/** A webhook as sent by shops. Returns the status of its answer. */
async function deliver(url: string, header: string, body: string, signature: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', [header]: signature }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

async function assertRefuses(url: string, header: string, body: string): Promise<void> {
  for (const signature of ['', 'AAAA', sign(`${body} `), sign(body, 'another secret')])
    assert.equal(await deliver(url, header, body, signature), 401, signature)
  assert.equal((await fetch(url)).status, 405)
  assert.equal(await deliver(url, header, 'no JSON', sign('no JSON')), 400)
  const large = `"${'x'.repeat(1_100_000)}"`
  assert.equal(await deliver(url, header, large, sign(large)).catch(() => 413), 413)
}

/** Downloads the pictures by their URLs, as the shop does. */
async function assertPictures(urls: readonly string[]): Promise<void> {
  assert.equal(urls.length, templateIds.length)
  for (const [index, url] of urls.entries()) {
    const answer = await fetch(url)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg'])
    assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(templateIds[index] ?? ''))
  }
}

test('a signed webhook of Shopify adds mockups to the product, paid once; an unsigned one does nothing', async () => {
  const { key } = await service.customer(100)
  await using shop = await startShop({ data: { productUpdate: { userErrors: [] } } })
  await using program = await startProgram('shopify.ts', {
    ...environmentOf(key),
    SHOPIFY_GRAPHQL_URL: `${shop.url}/admin/api/2026-10/graphql.json`,
    SHOPIFY_ACCESS_TOKEN: 'shpat_test',
    SHOPIFY_WEBHOOK_SECRET: SECRET,
  })
  const id = 'gid://shopify/Product/632910392'
  const product = {
    id: 632_910_392,
    admin_graphql_api_id: id,
    title: 'Red',
    images: [{ src: `${service.origin.url}/red.png` }],
  }
  const body = JSON.stringify(product)
  await assertRefuses(program.url, 'X-Shopify-Hmac-Sha256', body)
  assert.equal(await service.balance(key), 100)
  assert.equal(await deliver(program.url, 'X-Shopify-Hmac-Sha256', body, sign(body)), 200)
  const received = await shop.received
  assert.equal(received.headers['x-shopify-access-token'], 'shpat_test')
  const { variables } = z
    .object({
      query: z.string().startsWith('mutation'),
      variables: z.object({
        product: z.object({ id: z.literal(id) }),
        media: z.array(
          z.object({ originalSource: z.url(), alt: z.literal('Red'), mediaContentType: z.literal('IMAGE') }),
        ),
      }),
    })
    .parse(received.body)
  await assertPictures(variables.media.map(({ originalSource }) => originalSource))
  assert.equal(await deliver(program.url, 'X-Shopify-Hmac-Sha256', body, sign(body)), 200)
  while (program.output().split('added 2 images').length < 3) await delay(20)
  assert.equal(await service.balance(key), 98)
})

test('a signed webhook of WooCommerce puts mockups before the images of the product', async () => {
  const { key } = await service.customer(100)
  await using shop = await startShop({ id: 794 })
  await using program = await startProgram('woocommerce.ts', {
    ...environmentOf(key),
    WOOCOMMERCE_URL: shop.url,
    WOOCOMMERCE_CONSUMER_KEY: 'ck_test',
    WOOCOMMERCE_CONSUMER_SECRET: 'cs_test',
    WOOCOMMERCE_WEBHOOK_SECRET: SECRET,
  })
  const body = JSON.stringify({ id: 794, name: 'Red', images: [{ id: 792, src: `${service.origin.url}/red.png` }] })
  await assertRefuses(program.url, 'X-WC-Webhook-Signature', body)
  assert.equal(await deliver(program.url, 'X-WC-Webhook-Signature', body, sign(body)), 200)
  const received = await shop.received
  assert.deepEqual([received.method, received.url], ['PUT', '/wp-json/wc/v3/products/794'])
  assert.equal(received.headers.authorization, `Basic ${Buffer.from('ck_test:cs_test').toString('base64')}`)
  const { images } = z
    .object({
      images: z.tuple([z.object({ src: z.url() }), z.object({ src: z.url() }), z.object({ id: z.literal(792) })]),
    })
    .parse(received.body)
  await assertPictures(images.flatMap(image => ('src' in image ? image.src : [])))
  assert.equal(await service.balance(key), 98)
})

test('the pictures of an Etsy listing are numbered in the order of the templates', async () => {
  const { key } = await service.customer(100)
  const folder = path.join(scratch, 'listing')
  await run(process.execPath, [path.join(recipes, 'etsy-listing.ts'), `${service.origin.url}/red.png`, folder], {
    env: environmentOf(key),
  })
  const files = templateIds.map((id, index) => `0${index + 1}-${id}.jpg`)
  assert.deepEqual((await readdir(folder)).sort(), files)
  for (const file of files)
    assert.equal((await readFile(path.join(folder, file))).subarray(0, 3).toString('hex'), 'ffd8ff')
  assert.equal(await service.balance(key), 98)
})

test('the requests documented for no-code services make mockups', async () => {
  const { key } = await service.customer(100)
  const workflow = JSON.parse(await readFile(path.join(recipes, 'n8n-workflow.json'), 'utf8'))
  const { parameters } = z
    .object({
      nodes: z.tuple([
        z.unknown(),
        z.object({
          parameters: z.looseObject({
            method: z.literal('POST'),
            url: z.string(),
            jsonBody: z.string(),
            headerParameters: z.object({ parameters: z.array(z.object({ name: z.string(), value: z.string() })) }),
          }),
        }),
      ]),
    })
    .parse(workflow).nodes[1]
  assert.equal(new URL(parameters.url).pathname, '/api/v1/mockups/generate')
  const withArtwork = (body: string) =>
    JSON.parse(body.replace('https://example.com/artwork.jpg', `${service.origin.url}/red.png`))
  // A value that begins with = is a template there.
  const valueOf = (text: string) =>
    text.replace(/^=/, '').replace('{{ $execution.id }}', '231').replace('{{ $itemIndex }}', '0')
  const headers = Object.fromEntries(
    parameters.headerParameters.parameters.map(({ name, value }) => [name, valueOf(value)]),
  )
  assert.equal(headers['Idempotency-Key'], '231-0')
  const file = await service.generate(key, withArtwork(parameters.jsonBody), headers)
  assert.match(file.headers.get('content-disposition') ?? '', /filename="oak-frame-portrait\.jpg"/)

  const page = await readFile(path.join(root, 'docs/recipes/no-code.md'), 'utf8')
  const [, body = ''] = /```json\n([^]*?)```/.exec(page) ?? []
  const answer = await service.generate(key, withArtwork(body), { 'Idempotency-Key': 'row-1' })
  const { url } = z.looseObject({ url: z.url() }).parse(answer.json)
  assert.equal((await fetch(url)).headers.get('content-type'), 'image/jpeg')
})

test('the commands for a folder of designs make a folder of mockups', async () => {
  const { key } = await service.customer(100)
  const page = await readFile(path.join(root, 'docs/recipes/folders.md'), 'utf8')
  const commands = [...page.matchAll(/^npx vitrine (batch .*)$/gm)].map(([, line = '']) => line.split(' '))
  assert.equal(commands.length, 2)
  await mkdir(path.join(scratch, 'designs'))
  await writeFile(path.join(scratch, 'designs/red.png'), await plainPicture(20, 20, [255, 0, 0]))
  for (const args of commands) {
    const { code, stderr } = await runHere(args, environmentOf(key), scratch)
    assert.equal(code, 0, stderr)
  }
  assert.deepEqual(
    (await readdir(path.join(scratch, 'mockups/red'))).sort(),
    templateIds.map(id => `${id}.jpg`),
  )
  assert.equal(await service.balance(key), 98)
})
