/**
 * From the shopper's picture to the printed order: what the element shows is what the order makes. Pages are
 * of another origin than the service; one is copied from /llms.txt, one is built by Vite from the package.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import { lookAt } from '../../dashboard/test/assert-sound.ts'
import { comparePictures } from '../../engine/test/compare-pictures.ts'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { writeBundle } from '../../service/test/mockups/test-bundle.ts'
import { launchChromium } from '../../service/test/servers/chromium.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const binaries = path.join(root, 'node_modules/.bin')
const artworks = path.join(root, 'templates/artworks')
const project = makeScratchFolder('shop-project')
/** Of 255, on average: what previews may differ from mockups of their width. */
const MEAN_DIFFERENCE_MAX = 1.5

let service: TestService
let browser: Browser
let shop: Server
let secret: string
let publishable: string
/** What the shop serves at / and what came to its cart. */
let page = ''
let ordered: FormData | null = null

before(async () => {
  service = await TestService.start('sqlite')
  await service.addSmallStarters('white-mug-marble', 'gallery-wall-three')
  const customer = await service.customer(100)
  secret = customer.key
  const { accountId } = customer
  const look = { origins: ['http://localhost:*'], widthPx: 960, watermark: null }
  ;({ key: publishable } = await service.running.services.publishableKeys.create({ accountId, name: 'Shop', ...look }))
  shop = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop')
    if (request.method === 'POST')
      readOrder(request).then(
        order => {
          ordered = order
          response.end('Thank you')
        },
        () => response.writeHead(400).end(),
      )
    else if (pathname === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    else
      readFile(path.join(project, 'dist', path.normalize(pathname))).then(
        bytes => response.setHeader('content-type', 'text/javascript').end(bytes),
        () => response.writeHead(404).end(),
      )
  })
  await new Promise<void>(resolve => shop.listen(0, resolve))
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  shop?.closeAllConnections()
  shop?.close()
  await service?.[Symbol.asyncDispose]()
})

async function readOrder(request: IncomingMessage): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(await buffer(request)), { headers }).formData()
}

/** Opens the shop's page, and says what the element told. */
async function visit(): Promise<{ readonly tab: Page; readonly told: (name: string, count: number) => Promise<void> }> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1100, height: 1000 } })
  const tab = await context.newPage()
  await tab.addInitScript(
    `globalThis.told = []
     for (const name of ['vitrine-ready', 'vitrine-change', 'vitrine-error'])
       addEventListener(name, ({ detail }) => told.push(name + ' ' + (detail.code ?? '')), true)`,
  )
  // A server on a port has an address with one.
  await tab.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
  return {
    tab,
    async told(name, count) {
      for (let round = 0; ; round++) {
        const all = z.array(z.string()).parse(await tab.evaluate('told'))
        assert.ok(!all.some(said => said.startsWith('vitrine-error')), all.join(', '))
        if (all.filter(said => said.startsWith(name)).length >= count) return
        assert.ok(round < 300, `${name} did not come`)
        await delay(100)
      }
    },
  }
}

/** The element's picture of all that is chosen. */
async function seenIn(tab: Page): Promise<Buffer> {
  const text = await tab.evaluate(
    `document.querySelector('vitrine-mockup').toBlob().then(async blob =>
      btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), byte => String.fromCharCode(byte)).join('')))`,
  )
  return Buffer.from(z.string().parse(text), 'base64')
}

async function pixelsOf(file: Uint8Array) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { alpha: 'opaque', widthPx: info.width, heightPx: info.height, data } as const
}

/** What a shop's server does with an order: its fields and files are those of a request. */
async function makeMockup(order: FormData): Promise<Buffer> {
  const form = new FormData()
  const { artwork_sha256, artworks_sha256, ...fields } = z
    .looseObject({})
    .parse(JSON.parse(z.string().parse(order.get('mockup'))))
  assert.ok(artwork_sha256 !== undefined || artworks_sha256 !== undefined)
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [name, value] of order) if (name.startsWith('artwork') && value instanceof File) form.set(name, value)
  form.set('format', 'png')
  form.set('width', '960')
  const answer = await fetch(`${service.running.url}/api/v1/mockups/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: form,
  })
  assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text())
  return Buffer.from(await answer.arrayBuffer())
}

async function assertOrderIsAsSeen(tab: Page): Promise<void> {
  const seen = await seenIn(tab)
  ordered = null
  await tab.getByRole('button', { name: 'Add to cart' }).click()
  await tab.getByText('Thank you').waitFor()
  assert.ok(ordered !== null)
  const { mean } = comparePictures(await pixelsOf(seen), await pixelsOf(await makeMockup(ordered)))
  assert.ok(mean <= MEAN_DIFFERENCE_MAX, `${mean} of 255`)
}

test('the page of the guide, copied, sells a mug that looks as it was seen', async () => {
  const guide = await (await fetch(`${service.running.url}/llms.txt`)).text()
  const [, copied = ''] = /```html\n([^]*?)\n```/.exec(guide) ?? []
  page = copied.replace('vtp_your_key', publishable)
  const { tab, told } = await visit()
  await told('vitrine-ready', 1)
  await tab.getByRole('button', { name: 'Add to cart' }).click()
  assert.equal(ordered, null, 'without a picture nothing is ordered')
  await tab.getByLabel('Choose a picture').setInputFiles(path.join(artworks, 'evening-hills.jpg'))
  await told('vitrine-change', 1)
  await tab.getByRole('button', { name: 'Larger' }).click()
  await tab.getByRole('button', { name: 'Turn right' }).click()
  await tab.getByLabel('Navy').check()
  await assertOrderIsAsSeen(tab)
})

test('a logo starts whole on a mug, as in the order, and fills it where the page says so', async () => {
  page = `<!doctype html><title>Shop</title>
    <script type="module" src="${service.running.url}/embed/v1/vitrine-mockup.js"></script>
    <form action="/order" method="post" enctype="multipart/form-data">
      <vitrine-mockup publishable-key="${publishable}" template="white-mug-marble" name="mockup"
        artwork-name="artwork" editable loading="eager"></vitrine-mockup>
      <button>Add to cart</button>
    </form>`
  const placedIn = (tab: Page) => tab.evaluate("document.querySelector('vitrine-mockup').value.placement ?? null")
  const choose = (tab: Page, name: string) =>
    tab.getByLabel('Choose a picture').setInputFiles(path.join(artworks, name))
  const { tab, told } = await visit()
  await told('vitrine-ready', 1)
  await choose(tab, 'evening-hills.jpg')
  await told('vitrine-change', 1)
  assert.equal(await placedIn(tab), null)
  await choose(tab, 'mountain-logo.png')
  await told('vitrine-change', 2)
  assert.deepEqual(await placedIn(tab), { fit: 'contain', scale: 0.8 })
  await assertOrderIsAsSeen(tab)
  page = page.replace(' editable', ` placement="{}" editable`)
  const filled = await visit()
  await filled.told('vitrine-ready', 1)
  await choose(filled.tab, 'mountain-logo.png')
  await filled.told('vitrine-change', 1)
  assert.equal(await placedIn(filled.tab), null)
})

test('frames take pictures of their own, each placed by itself, and the order makes what was seen', async () => {
  page = `<!doctype html><html lang="en"><title>Three pictures</title><script type="module" src="${service.running.url}/embed/v1/vitrine-mockup.js"></script>
    <form action="/cart" method="post" enctype="multipart/form-data">
      <vitrine-mockup publishable-key="${publishable}" template="gallery-wall-three" name="mockup"
        artwork-name="artwork" alt="Three pictures on a wall" editable required></vitrine-mockup>
      <button>Add to cart</button>
    </form>`
  const { tab, told } = await visit()
  await told('vitrine-ready', 1)
  const file = tab.getByLabel('Choose a picture')
  await file.setInputFiles(path.join(artworks, 'morning-lake.jpg'))
  await told('vitrine-change', 1)
  await tab.getByLabel('Frame 2').check()
  await file.setInputFiles(path.join(artworks, 'evening-hills.jpg'))
  await told('vitrine-change', 2)
  await tab.getByRole('button', { name: 'Larger' }).click()
  await tab.getByRole('button', { name: 'Move left' }).click()
  // A press on another frame is for that one.
  const picture = tab.getByRole('slider', { name: /^Your picture/ })
  const box = await picture.boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width * 0.39, box.y + box.height * 0.47]
  const { width, height } = await sharp(await seenIn(tab)).metadata()
  assert.ok(Math.abs(box.width / box.height - width / height) < 0.01)
  await tab.mouse.move(x, y)
  await tab.mouse.down()
  await tab.mouse.move(x + 30, y + 12, { steps: 3 })
  await tab.mouse.up()
  assert.ok(await tab.getByRole('radio', { name: 'Frame 1' }).isChecked())
  await lookAt(tab, 'frames')
  await assertOrderIsAsSeen(tab)
  const value = z
    .object({ placements: z.record(z.string(), z.looseObject({})), artworks_sha256: z.record(z.string(), z.string()) })
    .parse(JSON.parse(z.string().parse(ordered?.get('mockup'))))
  assert.deepEqual(Object.keys(value.placements).toSorted(), ['0', '1'])
  assert.equal(new Set(Object.values(value.artworks_sha256)).size, 2)
  assert.deepEqual([...(ordered?.keys() ?? [])].toSorted(), ['artwork_0', 'artwork_1', 'artwork_2', 'mockup'])
})

test('pictures and placements of slots are attributes, and the order makes what was seen', async () => {
  await service.running.services.templates.importBundle({
    path: await writeBundle(path.join(project, 'bundles'), 'two-sides', 3, [], ['front', 'front']),
    ownerAccountId: null,
  })
  const served = path.join(project, 'dist')
  await mkdir(served, { recursive: true })
  for (const name of ['morning-lake.jpg', 'evening-hills.jpg'])
    await copyFile(path.join(artworks, name), path.join(served, name))
  page = `<!doctype html><html lang="en"><title>Two sides</title><script type="module" src="${service.running.url}/embed/v1/vitrine-mockup.js"></script>
    <form action="/cart" method="post" enctype="multipart/form-data">
      <vitrine-mockup publishable-key="${publishable}" template="two-sides" name="mockup" artwork-name="artwork" alt="Two sides"
        artworks='{"front": "/morning-lake.jpg", "2": "/evening-hills.jpg"}' placements='{"front": {"scale": 1.5}}'></vitrine-mockup>
      <button>Add to cart</button>
    </form>`
  const { tab, told } = await visit()
  await told('vitrine-ready', 1)
  await assertOrderIsAsSeen(tab)
  const { placements, artworks_sha256: hashes } = z
    .object({ placements: z.unknown(), artworks_sha256: z.record(z.string(), z.string()) })
    .parse(JSON.parse(z.string().parse(ordered?.get('mockup'))))
  assert.deepEqual(placements, { front: { scale: 1.5 } })
  const [lake, hills] = await Promise.all(
    ['morning-lake.jpg', 'evening-hills.jpg'].map(async name =>
      createHash('sha256')
        .update(await readFile(path.join(artworks, name)))
        .digest('hex'),
    ),
  )
  assert.deepEqual(hashes, { 0: lake, 1: lake, 2: hills })
})

test('the packed package, installed in an empty project, compiles strictly and is built by Vite', async () => {
  const env = { ...process.env, PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}` }
  await run(path.join(binaries, 'tsc'), ['-p', path.join(root, 'embed/tsconfig.build.json')])
  // Not its scripts: they would build the program again under tests that load it.
  const pack = ['pack', '--ignore-scripts', '--pack-destination', project]
  await run('npm', pack, { cwd: path.join(root, 'embed'), env })
  const [tarball = ''] = (await readdir(project)).filter(name => name.endsWith('.tgz'))
  await writeFile(path.join(project, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: project, env })
  const installed = path.join(project, 'node_modules/@vitrine')
  assert.deepEqual(await readdir(installed), ['embed'])
  const packed = await readdir(path.join(installed, 'embed'), { recursive: true })
  assert.ok(packed.includes('README.md') && packed.includes('dist/drawing.js'), packed.join(', '))

  await mkdir(path.join(project, 'src'))
  await writeFile(
    path.join(project, 'src/main.ts'),
    `import '@vitrine/embed'
     const element = document.createElement('vitrine-mockup')
     element.setAttribute('service', '${service.running.url}')
     element.setAttribute('publishable-key', '${publishable}')
     element.setAttribute('template', 'one-frame')
     element.placement = { fit: 'contain', rotation: 8 }
     element.addEventListener('vitrine-ready', ({ detail: { template } }) => { document.title = template.name })
     element.texts = { choose: 'Ein Bild wählen' }
     document.body.append(element)`,
  )
  await writeFile(
    path.join(project, 'index.html'),
    '<title>…</title><script type="module" src="/src/main.ts"></script>',
  )
  const lib = ['es2023', 'dom', 'dom.iterable']
  // The compiler's own declarations are not checked; those of the package are.
  const checked = { strict: true, skipLibCheck: false, skipDefaultLibCheck: true }
  const compilerOptions = { ...checked, module: 'preserve', lib, noEmit: true, types: [] }
  await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const compiled = await run(path.join(binaries, 'tsc'), ['-p', project]).catch((error: { stdout: string }) => error)
  assert.equal(compiled.stdout, '')
  await run(path.join(binaries, 'vite'), ['build', '--logLevel', 'error'], { cwd: project })

  page = await readFile(path.join(project, 'dist/index.html'), 'utf8')
  const { tab, told } = await visit()
  await told('vitrine-ready', 1)
  assert.notEqual(await tab.title(), '…')
  assert.equal(tab.workers().length, 1, 'drawn in a worker')
})
