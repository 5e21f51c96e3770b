import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { lookAt } from './assert-sound.ts'
import { testPicture, useBrowser, visitInBrowser } from './browser-visit.ts'

/** Errors in the console that are expected: 401 before the sign-in, 429 and 503 while the service is busy. */
const expected = /status of (401|429|503)/

describe('My mockups in a browser', () => {
  const opened = useBrowser()

  const zipOf = async (page: Page, name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return Object.keys(unzipSync(new Uint8Array(await readFile(await download.path())))).sort()
  }

  it('has a run of one browser in another: small, by artwork, searched, selected, zipped and removed', async () => {
    const visit = () => visitInBrowser(opened(), 'runs@example.com', { expected })
    await using first = await visit()
    const { page } = first
    const { url } = opened().service.running
    await page.goto(`${url}/create`)
    const fox = { name: 'Fox.png', mimeType: 'image/png', buffer: await testPicture(600, 400, 'png') }
    const pictures = [fox, { ...fox, name: 'Owl.png', buffer: await testPicture(400, 600, 'png') }]
    await page.getByLabel('Choose artworks').setInputFiles(pictures)
    await page.getByRole('button', { name: 'Pick all' }).click()
    await page.getByRole('button', { name: /^Render \d+/ }).click()
    const done = page.getByRole('button', { name: /^Download \d+ \(zip\)$/ })
    await done.waitFor()
    const count = Number(/\d+/.exec(await done.innerText())?.[0])
    assert.ok(count >= 4, 'two artworks in some scenes')

    await using second = await visit()
    const other = second.page
    await other.goto(`${url}/mockups`)
    const run = other.getByRole('region', { name: /^Rendered / })
    await run.getByRole('heading', { level: 3, name: 'Owl.png' }).waitFor()
    await run.getByRole('heading', { level: 3, name: 'Fox.png' }).waitFor()
    const thumbnails = other.locator('.mockup-tile img[src$="/thumbnail"]')
    // A browser sends them after the mockups: the page that was opened before shows the mockups themselves.
    while ((await thumbnails.count()) < count) await other.reload({ waitUntil: 'networkidle' })
    await other.evaluate('Promise.all([...document.images].map(image => image.decode()))')
    const widths = await thumbnails.evaluateAll(all => all.map(image => Reflect.get(image, 'naturalWidth')))
    assert.deepEqual(new Set(widths), new Set([320]))
    await lookAt(other, 'my-mockups-elsewhere')

    await other.getByRole('searchbox', { name: 'Search mockups' }).fill('owl one-frame')
    await run.getByRole('heading', { name: 'Fox.png' }).waitFor({ state: 'detached' })
    await other.getByRole('checkbox', { name: 'Select Owl--one-frame.jpg' }).check()
    await other.getByRole('searchbox', { name: 'Search mockups' }).fill('')
    await other.getByRole('checkbox', { name: 'Select Fox--two-frames.jpg' }).check()
    await other.getByText('2 selected').waitFor()
    assert.deepEqual(await zipOf(other, 'Download 2 (zip)'), ['Fox--two-frames.jpg', 'Owl--one-frame.jpg'])
    await other.getByRole('button', { name: 'Remove… the selected mockups' }).click()
    await lookAt(other, 'my-mockups-remove')
    await other.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await other.getByRole('checkbox', { name: 'Select Owl--one-frame.jpg' }).waitFor({ state: 'detached' })
    assert.equal((await zipOf(other, `Download ${count - 2} (zip)`)).length, count - 2)
    await other.getByRole('button', { name: /^Remove… the run/ }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await other.getByRole('heading', { name: 'No mockups' }).waitFor()
  })
})
