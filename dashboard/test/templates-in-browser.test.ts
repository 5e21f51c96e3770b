import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { unzipSync, zipSync } from 'fflate'
import sharp from 'sharp'
import { z } from 'zod'
import { starterImportsFolder, starterPackFolder } from '../../service/src/first-run/starter-pack.ts'
import { summarySchema } from '../../service/src/templates/bundle-report.ts'
import { readStoredImport } from '../../service/src/templates/stored-import.ts'
import { summaryColumn } from '../../service/src/templates/template-rows.ts'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { Visitor } from '../../service/test/dashboard/visitor.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { writeBundle } from '../../service/test/mockups/test-bundle.ts'
import { lookAt } from './assert-sound.ts'
import {
  accountIdOf,
  differenceOfPreview,
  differenceOfShown,
  draftKept,
  dropFile,
  leaveDialog,
  pressEnterOn,
  previewAtRest,
  startByHand,
  testPicture,
  useBrowser,
  type VisitOptions,
  visitInBrowser,
} from './browser-visit.ts'

const bundles = makeScratchFolder('bundles-in-browser')
const description = z.looseObject({ id: z.string(), name: z.string(), frames: z.array(z.looseObject({})) })
const refused = /status of (400|402|409)/
/** The page asks again by itself: the service is busy, or still at what was asked before the reload. */
const busyService = /status of (409|429|503)/

describe('Templates in a browser', () => {
  const opened = useBrowser()
  let service: TestService
  const enter = (email: string, options: VisitOptions = {}) => visitInBrowser({ ...opened(), service }, email, options)
  before(async () => {
    service = await TestService.start('sqlite')
  })
  after(() => service[Symbol.asyncDispose]())

  it('comes with less than 250 kB of compressed script', async () => {
    await using visit = await enter('first-load@example.com')
    const { page } = visit
    const scripts: { url: string; sizeBytes: number; encoding: string | undefined }[] = []
    page.on('response', response => {
      if (!new URL(response.url()).pathname.endsWith('.js')) return
      const { 'content-length': length, 'content-encoding': encoding } = response.headers()
      scripts.push({ url: response.url(), sizeBytes: Number(length), encoding })
    })
    const client = await page.context().newCDPSession(page)
    await client.send('Network.setCacheDisabled', { cacheDisabled: true })
    await page.goto(service.running.url)
    await page.getByRole('link', { name: /Test one-frame/ }).waitFor()
    const sizeBytes = scripts.reduce((sum, script) => sum + script.sizeBytes, 0)
    // A script of one packet is as soon there as it is.
    const large = scripts.filter(script => script.sizeBytes > 1000)
    assert.ok(large.length > 0 && large.every(script => /^(br|gzip)$/.test(script.encoding ?? '')))
    assert.ok(sizeBytes > 10_000 && sizeBytes < 250_000, JSON.stringify(scripts))
  })

  it('lays its gallery out without overlaps where the templates come after the page', async () => {
    await using visit = await enter('late-gallery@example.com')
    const { page } = visit
    await page.route('**/dashboard/api/templates?*', async route => {
      await new Promise(resolve => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: /Test one-frame/ }).waitFor()
    const missingPx = await page
      .locator('.gallery')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    assert.equal(missingPx, 0, 'templates are higher than the rows that they have')
  })

  it('takes a dropped bundle in, tells every fault of a broken one, and gives back what it took', async () => {
    await using visit = await enter('bundles@example.com', { expected: refused })
    const { page } = visit
    const visitor = await Visitor.enter(service, 'bundles@example.com')
    const source = await visitor.send('/dashboard/api/templates/one-frame/bundle.zip')
    const files = unzipSync(new Uint8Array(await source.arrayBuffer()))
    const template = description.parse(JSON.parse(Buffer.from(files['template.json'] ?? []).toString()))
    const zipWith = (change: Record<string, unknown>) =>
      zipSync({ ...files, 'template.json': Buffer.from(JSON.stringify({ ...template, ...change })) })

    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: /Test one-frame/ }).waitFor()
    await dropFile(page, 'broken.zip', 'application/zip', zipWith({ id: 'dropped', tone: 'sepia', frames: [] }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This bundle has 2 faults.').waitFor()
    assert.equal(await dialog.getByRole('listitem').count(), 2)
    await dialog.getByText(/for tone but received "sepia"/).waitFor()
    await leaveDialog(dialog, 'Close')
    const whole = zipWith({ id: 'dropped', name: 'Dropped on the page' })
    await dropFile(page, 'whole.zip', 'application/zip', whole)
    await page.getByRole('heading', { level: 1, name: 'Dropped on the page' }).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export bundle' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'dropped.zip')
    const exported = await readFile(await download.path())
    assert.deepEqual(unzipSync(new Uint8Array(exported)), unzipSync(whole))
    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: /Dropped on the page/ }).waitFor()
    await dropFile(page, 'again.zip', 'application/zip', new Uint8Array(exported))
    await page.getByRole('heading', { level: 1, name: 'Dropped on the page' }).waitFor()
    const owner = await accountIdOf(service, 'bundles@example.com')
    assert.equal((await service.running.services.templates.get('dropped', owner))?.version, 1, 'nothing changed')
  })

  it('shows a picture in front of a part of the scene where the bundle puts it, while the corners are dragged', async () => {
    await using visit = await enter('region@example.com')
    const { page } = visit
    const visitor = await Visitor.enter(service, 'region@example.com')
    const source = await visitor.send('/dashboard/api/templates/one-frame/bundle.zip')
    const files = unzipSync(new Uint8Array(await source.arrayBuffer()))
    const template = z
      .looseObject({ scene: z.string() })
      .parse(JSON.parse(Buffer.from(files['template.json'] ?? []).toString()))
    const { width, height } = await sharp(files[template.scene]).metadata()
    // A quarter of the scene's sides, an eighth from its left and half-way down.
    const region = [width / 8, height / 2, width / 4, height / 4].map(Math.round)
    const overlays = [{ image: 'glare.png', region, blending_mode: 'screen', opacity: 0.5 }]
    const glare = { width: 40, height: 40, channels: 4, background: { r: 255, g: 250, b: 240, alpha: 0.5 } } as const
    const bundle = zipSync({
      ...files,
      'glare.png': await sharp({ create: glare }).png().toBuffer(),
      'template.json': Buffer.from(JSON.stringify({ ...template, id: 'with-region', name: 'With a glare', overlays })),
    })
    await page.goto(`${service.running.url}/templates`)
    await page.getByRole('link', { name: /Test one-frame/ }).waitFor()
    await dropFile(page, 'region.zip', 'application/zip', bundle)
    await page.getByRole('heading', { level: 1, name: 'With a glare' }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('slider').first().waitFor()
    const shown = await page.locator('img.stage-frame').boundingBox()
    const stage = await page.locator('.stage').boundingBox()
    assert.ok(shown && stage)
    const parts = [
      (shown.x - stage.x) / stage.width,
      (shown.y - stage.y) / stage.height,
      shown.width / stage.width,
      shown.height / stage.height,
    ]
    for (const [i, part] of [1 / 8, 1 / 2, 1 / 4, 1 / 4].entries())
      assert.ok(Math.abs((parts[i] ?? 0) - part) < 0.01, `${parts.join(', ')} of the stage`)
  })

  it('makes and changes a template by keyboard alone: corners, order, a shape in front, undo, a new version; equal in browser and interface', async () => {
    await using visit = await enter('keyboard@example.com')
    const { page } = visit
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const choose = async (button: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        pressEnterOn(page.getByRole('button', { name: button })),
      ])
      await chooser.setFiles(file)
    }
    await page.goto(`${service.running.url}/templates`)
    await pressEnterOn(page.getByRole('link', { name: 'New template' }))
    await page.getByRole('heading', { name: 'Start with a photo' }).waitFor()
    await choose('Choose a photo', {
      name: 'Kitchen.png',
      mimeType: 'image/png',
      buffer: await testPicture(900, 700, 'png'),
    })
    await pressEnterOn(page.getByRole('button', { name: 'Set everything by hand' }))
    const corner = page.getByRole('slider', { name: 'Top left corner of frame 1' })
    await corner.focus()
    const position = async () => (await corner.getAttribute('aria-valuetext'))?.split(', ').map(Number)
    assert.deepEqual(await position(), [300, 233.3])
    await press('ArrowLeft', 'Shift+ArrowUp', 'Alt+ArrowRight')
    assert.deepEqual(await position(), [299.1, 223.3])
    await press('Control+z')
    assert.deepEqual(await position(), [300, 233.3], 'moves of one corner are undone at once')
    await press('Control+Shift+Z')
    assert.deepEqual(await position(), [299.1, 223.3])

    await pressEnterOn(page.getByRole('button', { name: 'Add a frame' }))
    await page.getByRole('slider', { name: 'Top left corner of frame 2' }).focus()
    await press(...Array.from({ length: 25 }, () => 'Shift+ArrowLeft'))
    await pressEnterOn(page.getByRole('button', { name: 'Draw earlier than the frame before: frame 2' }))
    assert.deepEqual(await position(), [86, 261.3], 'the second frame is the first now')
    await page.locator('fieldset:has(legend:text-is("Frame 1")) :focus').waitFor()
    await pressEnterOn(page.getByRole('button', { name: 'Draw what is in front of frame 2' }))
    const cursor = page.getByRole('slider', { name: /^Point to set/ }).and(page.locator(':focus'))
    await cursor.waitFor()
    // A triangle around the middle; one point too many is taken back.
    await press('Enter', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter', 'Enter', 'Backspace')
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Enter', 'Control+Enter')
    const shape = page.getByText('One shape stands in front of this frame.')
    await shape.waitFor()
    await page.locator('fieldset:has(legend:text-is("Frame 2")) :focus').waitFor()
    await draftKept(page)
    await page.reload()
    await shape.waitFor()
    assert.deepEqual(await position(), [86, 261.3], 'a reload loses nothing')
    await press('Control+z')
    await page.getByRole('slider', { name: /^Point to set/ }).waitFor()
    await press(...Array.from({ length: 6 }, () => 'Control+z'))
    await page.getByText('Nothing stands in front of this frame.').nth(1).waitFor()
    await pressEnterOn(page.getByRole('button', { name: 'Undo' }))
    assert.deepEqual(await position(), [299.1, 223.3], 'nor what can be taken back')
    await press(...Array.from({ length: 8 }, () => 'Control+y'))
    await shape.waitFor()
    assert.deepEqual(await position(), [86, 261.3])
    // Clear but for a bar: what lies in front of everything.
    const bar = {
      create: { width: 90, height: 20, channels: 4, background: { r: 40, g: 90, b: 60, alpha: 0.7 } },
    } as const
    const front = await sharp({
      create: { width: 900, height: 700, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .composite([{ input: await sharp(bar).png().toBuffer(), left: 350, top: 300 }])
      .png()
      .toBuffer()
    await choose('Add a picture in front', { name: 'front.png', mimeType: 'image/png', buffer: front })
    await page.getByRole('group', { name: 'Picture 1' }).waitFor()
    await pressEnterOn(page.getByRole('button', { name: 'Exact preview' }))
    await page.getByRole('img', { name: /as it will be rendered/ }).waitFor()
    await pressEnterOn(page.getByRole('button', { name: 'Save template' }))
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor()
    const templateId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const owner = await accountIdOf(service, 'keyboard@example.com')
    const { key } = await service.running.services.apiKeys.create({ accountId: owner, name: 'compare' })
    const artwork = await testPicture(500, 500, 'png')
    const difference = await differenceOfPreview(page, service, { templateId, name: 'Kitchen', key, artwork })
    assert.ok(difference < 1, `mean difference ${difference} of 255`)

    const before = await service.running.services.templates.get(templateId, owner)
    await pressEnterOn(page.getByRole('link', { name: 'Edit', exact: true }))
    await page.getByRole('heading', { level: 1, name: 'Edit Kitchen' }).waitFor()
    assert.deepEqual(await position(), [86, 261.3])
    await page.getByRole('textbox', { name: 'Name' }).focus()
    await press('End')
    await page.keyboard.type(' in oak')
    await pressEnterOn(page.getByRole('button', { name: 'Save as the new version' }))
    await page.getByRole('heading', { level: 1, name: 'Kitchen in oak' }).waitFor()
    const now = await service.running.services.templates.get(templateId, owner)
    assert.ok(before && now)
    assert.deepEqual([before.version, now.version, now.name], [1, 2, 'Kitchen in oak'])
    const read = async (record: typeof now) => {
      const { folder } = await service.running.services.templates.localBundle(record)
      return description.parse(JSON.parse(await readFile(`${folder}/template.json`, 'utf8')))
    }
    // A request that is under way still finds the old version as it was; all but the name went over.
    const [{ name, ...old }, { name: newName, ...renamed }] = [await read(before), await read(now)]
    assert.deepEqual([name, newName], ['Kitchen', 'Kitchen in oak'])
    assert.deepEqual({ ...renamed, frames: renamed.frames.length }, { ...old, frames: 2 })
    await previewAtRest(page)
    const after = await differenceOfShown(page, service, { templateId, name: 'Kitchen in oak', key, artwork })
    assert.ok(after < 1, `mean difference ${after} of 255 after the change`)
  })

  it('opens a template with light and a map in the editor, and saves all that it does not show', async () => {
    const visitor = await Visitor.enter(service, 'owner-of-all@example.com', 'owner')
    await using visit = await enter('owner-of-all@example.com', { role: 'owner' })
    const { page } = visit
    await service.addSmallStarters('white-mug-walnut-table')
    const bundleOf = async () => {
      const answer = await visitor.send('/dashboard/api/templates/white-mug-walnut-table/bundle.zip')
      return unzipSync(new Uint8Array(await answer.arrayBuffer()))
    }
    const before = await bundleOf()
    await page.goto(`${service.running.url}/templates/white-mug-walnut-table/edit`)
    await page.getByText(/lie on curved surfaces/).waitFor()
    await page.getByRole('textbox', { name: 'Category' }).fill('Mugs')
    await page.getByRole('button', { name: 'Save as the new version' }).click()
    await page.getByText(/^Drop your artwork anywhere/).waitFor()
    const after = await bundleOf()
    const described = (files: Record<string, Uint8Array>) =>
      description.parse(JSON.parse(Buffer.from(files['template.json'] ?? []).toString()))
    // What is written out now was there before as a default.
    const frames = described(before).frames.map(frame => ({ ...frame, opacity: 1 }))
    assert.deepEqual(described(after), { ...described(before), blending_mode: 'normal', category: 'Mugs', frames })
    for (const [name, bytes] of Object.entries(before))
      if (name !== 'template.json') assert.deepEqual(after[name], bytes, name)
    const stored = (id: string) => service.running.services.templates.get(id)
    assert.equal((await stored('white-mug-walnut-table'))?.ownerAccountId, null)
    // What it does show: whether customers may have the bundle, of a template that is imported in less time.
    const sharing = page.getByRole('checkbox', { name: 'Let customers download the whole bundle' })
    for (const [isChecked, wanted] of [
      [true, false],
      [false, true],
    ] as const) {
      await page.goto(`${service.running.url}/templates/one-frame/edit`)
      await sharing.waitFor()
      assert.equal(await sharing.isChecked(), isChecked)
      await sharing.setChecked(wanted)
      await page.getByRole('button', { name: 'Save as the new version' }).click()
      await page.getByText(/^Drop your artwork anywhere/).waitFor()
      assert.equal((await stored('one-frame'))?.sharesBundle, wanted)
    }
    await using customer = await enter('edits@example.com')
    const own = await writeBundle(bundles, 'own-frame')
    const ownerAccountId = await accountIdOf(service, 'edits@example.com')
    await service.running.services.templates.importBundle({ path: own, ownerAccountId })
    await customer.page.goto(`${service.running.url}/templates/own-frame/edit`)
    // It would come with these fields, as for the owner of all above.
    await customer.page.getByRole('textbox', { name: 'Category' }).waitFor()
    assert.equal(await customer.page.getByText('Let customers download').count(), 0)
  })

  it('previews a template that is not for download as it is rendered, from layers no wider than the preview', async () => {
    const id = 'white-mug-marble'
    const stored = await readStoredImport(path.join(starterPackFolder, id), path.join(starterImportsFolder, id))
    assert.ok(stored !== null)
    // As an import of the bundle with "share_bundle": false, which would decode it for seconds.
    const template = { ...stored.template, sharesBundle: false }
    await service.running.services.templates.takeOver([{ ...stored, template }])
    await using visit = await enter('looks@example.com', { expected: /status of 403/ })
    const { page } = visit
    const loaded: { path: string; bytes: Promise<Buffer> }[] = []
    page.on('response', answer => {
      const { pathname } = new URL(answer.url())
      if (/templates\/white-mug-marble\/.*\.(png|webp)$/.test(pathname))
        loaded.push({ path: pathname, bytes: answer.body() })
    })
    await page.goto(`${service.running.url}/templates/${id}`)
    await page.getByRole('heading', { level: 1, name: template.name }).waitFor()
    const { key } = await service.running.services.apiKeys.create({
      accountId: await accountIdOf(service, 'looks@example.com'),
      name: 'compare',
    })
    const artwork = await testPicture(500, 500, 'png')
    const { name } = template
    const difference = await differenceOfPreview(page, service, { templateId: id, name, key, artwork })
    assert.ok(difference < 1.5, `mean difference ${difference} of 255`)
    assert.ok(loaded.length >= 5, `${loaded.length} layers`)
    for (const { path: name, bytes } of loaded) {
      assert.match(name, /\/preview\//)
      const { width } = await sharp(await bytes).metadata()
      assert.ok(width <= 1000, `${name}: ${width} px`)
    }
    for (const offer of ['Export bundle', 'Make a copy'])
      assert.equal(await page.getByRole('link', { name: offer }).count(), 0, offer)
    await page.goto(`${service.running.url}/templates/${id}/edit`)
    await page.getByText('not for download').waitFor()

    await using operators = await enter('keeps@example.com', { role: 'owner' })
    await operators.page.goto(`${service.running.url}/templates/${id}`)
    await operators.page.getByRole('link', { name: 'Export bundle' }).waitFor()
    await operators.page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
  })

  it('checks a template apart from saving: faults at their fields, or that all is well, and nothing is sent', async () => {
    await using visit = await enter('check@example.com')
    const { page } = visit
    await page.goto(`${service.running.url}/templates/new`)
    const photo = { name: 'Hall.png', mimeType: 'image/png', buffer: await testPicture(800, 600, 'png') }
    await startByHand(page, photo)
    const check = page.getByRole('button', { name: 'Check', exact: true })
    const sent: string[] = []
    page.on('request', request => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`)
    })
    await check.click()
    await page.getByText('Ready to save.').first().waitFor()
    // A picture in front that is no picture, whatever its name says.
    const broken = { name: 'glare.png', mimeType: 'image/png', buffer: photo.buffer.subarray(0, 4000) }
    await page.getByLabel('Picture in front').setInputFiles(broken)
    await page.getByRole('group', { name: 'Picture 1' }).waitFor()
    assert.equal(
      await page.getByText('Ready to save.').and(page.locator('strong')).count(),
      0,
      'a change ends the finding',
    )
    await check.click()
    const overlay = page.getByRole('group', { name: 'Picture 1' })
    await overlay.getByText(/^Expected .* for overlays\[0\].* but received/).waitFor()
    await overlay.getByRole('button', { name: 'Remove picture 1' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(' ')
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator('[aria-invalid=true]')).waitFor()
    await check.click()
    await page.getByRole('list', { name: 'To do before saving' }).getByText('Give the template a name.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Hall')
    await check.click()
    await page.getByText('Ready to save.').first().waitFor()
    assert.deepEqual(sent, [])
    const owned = await service.running.services.templates.ownedIds(await accountIdOf(service, 'check@example.com'))
    assert.deepEqual(owned, [])
  })

  it('explains artwork that is no picture, and a wallet that is empty', async () => {
    await using visit = await enter('failures@example.com', {
      credits: 0,
      expected: refused,
    })
    const { page } = visit
    await page.goto(`${service.running.url}/templates/one-frame`)
    const artwork = page.getByLabel('Choose your artwork')
    await artwork.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
    const alert = page.getByRole('alert')
    await alert.getByText(/^“a\.png”: Expected/).waitFor()
    await artwork.setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('a photo') })
    await alert.getByText('“IMG_1.HEIC” is a HEIC photo.').waitFor()
    await artwork.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: await testPicture(200, 200, 'png') })
    await page.getByRole('img', { name: 'Test one-frame with your artwork' }).waitFor()
    await page.getByRole('button', { name: 'Render in full for 1 credit' }).click()
    await page.getByRole('link', { name: 'Get credits' }).waitFor()
  })

  it('goes on with a bulk run after a reload, and pays each mockup once', async () => {
    await using visit = await enter('reload@example.com', { expected: busyService })
    const { page } = visit
    await page.goto(`${service.running.url}/create`)
    const names = 'abcdefghijkl'.split('')
    const artwork = await testPicture(600, 600, 'jpeg')
    await page.getByLabel('Choose artworks').setInputFiles(
      names.map(name => ({
        name: `${name}.jpg`,
        mimeType: 'image/jpeg',
        // A picture that was made is not charged again: each is another one.
        buffer: Buffer.concat([artwork, Buffer.from(name)]),
      })),
    )
    await page.getByText(/ and \d+ more are shown in every scene/).waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: 'Pick for every artwork: Test one-frame' }).check()
    await page.getByRole('checkbox', { name: 'Pick for every artwork: Test two-frames' }).check()
    // The run cannot end before the reload: only its first requests are sent until then.
    const requests = '**/dashboard/api/mockups/generate'
    let sentCount = 0
    await page.route(requests, route => (++sentCount <= 6 ? route.continue() : undefined))
    await page.getByRole('button', { name: /^Render 24/ }).click()
    await page.getByText(/^[1-9]\d* of 24 rendered$/).waitFor()
    await page.reload()
    await page.unroute(requests)
    await page.getByText(/^Interrupted: \d+ of 24 ready$/).waitFor()
    await page.getByRole('link', { name: /^\d+ of 24 ready$/ }).click()
    const goOn = page.getByRole('button', { name: /^Continue with the \d+ left/ })
    await goOn.waitFor()
    assert.match(
      await page.getByText(/of 24 made/).innerText(),
      /^The page was closed .* (\d+) of 24 made, for \1 credits?; [1-9]\d* left\. .* without a second charge\.$/,
    )
    await lookAt(page, 'run-interrupted')
    await goOn.click()
    await page.getByText('24 of 24 made, for 24 credits.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 24 (zip)' }).click(),
    ])
    const mockups = unzipSync(new Uint8Array(await readFile(await download.path())))
    assert.deepEqual(
      Object.keys(mockups).sort(),
      names.flatMap(name => [`${name}--one-frame.jpg`, `${name}--two-frames.jpg`]),
    )
    const { wallet } = service.running.services
    const balance = await wallet.balance(await accountIdOf(service, 'reload@example.com'))
    assert.deepEqual([balance.consumedCredits, balance.reservedCredits], [24, 0])
  })

  it('finds one template among ten thousand', async () => {
    const { database } = service.running.services
    const row = await database.queries
      .selectFrom('templates')
      .selectAll()
      .where('id', '=', 'one-frame')
      .executeTakeFirstOrThrow()
    const summary = summarySchema.parse(JSON.parse(row.summary))
    for (let from = 0; from < 10_000; from += 500)
      await database.queries
        .insertInto('templates')
        .values(
          Array.from({ length: 500 }, (_, i) => {
            const name = `Scene ${String(from + i).padStart(5, '0')}`
            const unique = String(from + i).padStart(32, '0')
            const category = `Room ${(from + i) % 40}`
            return {
              ...row,
              id: `scene-${from + i}`,
              summary: summaryColumn({ ...summary, name, category }),
              name_folded: name.toLowerCase(),
              category,
              category_folded: category.toLowerCase(),
              object_prefix: `templates/scene-${from + i}/`,
              thumbnail_token: unique,
            }
          }),
        )
        .execute()
    await using visit = await enter('many@example.com', { expected: /status of 404/ })
    const { page } = visit
    await page.goto(`${service.running.url}/templates`)
    await page.getByText(/^10,0\d\d templates$/).waitFor()
    const cards = page.getByRole('main').getByRole('listitem')
    const shownAtFirst = await cards.count()
    assert.ok(shownAtFirst < 200, `${shownAtFirst} cards`)
    await page.mouse.wheel(0, 100_000)
    await cards.nth(shownAtFirst).waitFor({ state: 'attached' })
    await page.getByLabel('Search').fill('scene 07')
    // Words count wherever they are in the number.
    await page.getByText('1,279 templates').waitFor()
    await page.getByLabel('Category').selectOption('Room 7')
    await page.getByText('72 templates').waitFor()
    await page.getByLabel('Search').fill('scene 07007')
    await page.getByText('1 template', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, '?search=scene+07007&category=Room+7')
    await page.reload()
    await page.getByRole('link', { name: /Scene 07007/ }).waitFor()
  })
})
