import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { OpaquePixmap } from '@vitrine/engine'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { comparePictures } from '../../engine/test/compare-pictures.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import {
  accountIdOf,
  type BrowserVisit,
  pictureOf,
  pictureOfTile,
  pixelsOf,
  renderPng,
  useBrowser,
  type VisitOptions,
  visitInBrowser,
} from './browser-visit.ts'

const templatesFolder = path.resolve(import.meta.dirname, '../../templates')
const ids = ['oak-frame-portrait', 'white-mug-marble', 'white-tee-flat-lay']
const TILE_WIDTH_PX = 480

/** Of 255. */
const TILE_MEAN_MAX = 1.5
const TILE_EDGES_DB_MIN = 34
const LOOK_MEAN_MAX = 1

const placement = { scale: 0.9, rotation: 12, x: 0.53, y: 0.46 }
/** A hundredth of the frame beside it: about two pixels of a tile. */
const nearPlacement = { ...placement, x: placement.x + 0.01 }

const inWords = ({ mean, edgesDb }: ReturnType<typeof comparePictures>): string =>
  `${mean.toFixed(2)} of 255, edges ${edgesDb.toFixed(1)} dB`

describe('Pictures of the gallery, beside the mockups of the service', () => {
  const opened = useBrowser()
  let service: TestService
  const enter = (email: string, options: VisitOptions = {}) => visitInBrowser({ ...opened(), service }, email, options)
  let artwork: Buffer
  /** At the gallery with the JPEG. */
  let visit: BrowserVisit
  let key: string
  /** How often the decoder of WebP was loaded there. */
  let webpLoads: () => number
  before(async () => {
    service = await TestService.start('sqlite')
    await service.addStarters(...ids)
    artwork = await readFile(path.join(templatesFolder, 'artworks/petal-pattern.jpg'))
    const email = 'petals@example.com'
    visit = await enter(email)
    key = await keyOf(email)
    webpLoads = countWebpLoads(visit.page)
    await openGallery(visit.page)
  })
  after(async () => {
    await visit?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  function countWebpLoads(page: Page): () => number {
    let loads = 0
    page.on('response', answer => {
      if (answer.url().includes('webp-decoder')) loads++
    })
    return () => loads
  }

  /** Opens the gallery with the picture lying in each scene as `placement` says. */
  const openGallery = async (page: Page, picture = { name: 'Petals.jpg', mimeType: 'image/jpeg', buffer: artwork }) => {
    const place = { own: Object.fromEntries(ids.map(id => [id, placement])) }
    await page.goto(`${service.running.url}/templates?place=${encodeURIComponent(JSON.stringify(place))}`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('region', { name: 'Artworks of this visit' }).getByText('Add').click()
    await (await chooser).setFiles(picture)
  }
  const keyOf = async (email: string): Promise<string> => {
    const accountId = await accountIdOf(service, email)
    return (await service.running.services.apiKeys.create({ accountId, name: 'compare' })).key
  }
  const pixmapOf = async (picture: Buffer): Promise<OpaquePixmap> => {
    const { data, info } = await pixelsOf(picture)
    return { alpha: 'opaque', widthPx: info.width, heightPx: info.height, data }
  }
  const render = async (key: string, fields: Readonly<Record<string, string>>): Promise<OpaquePixmap> =>
    pixmapOf(await renderPng(service, { key, artwork, type: 'jpeg', fields }))

  it('a tile is the mockup of its width, and not that of a placement two pixels beside', async context => {
    for (const id of ids) {
      const tile = visit.page.locator(`[data-tile="${id}"]`)
      await tile.scrollIntoViewIfNeeded()
      await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
      const shown = await pixmapOf(await pictureOfTile(tile))
      assert.equal(shown.widthPx, TILE_WIDTH_PX)
      const comparedWith = async (placed: object) => {
        const fields = { template_id: id, width: String(TILE_WIDTH_PX), placement: JSON.stringify(placed) }
        return comparePictures(shown, await render(key, fields))
      }
      const same = await comparedWith(placement)
      const near = await comparedWith(nearPlacement)
      const said = `${id}: ${inWords(same)}; two pixels beside: ${inWords(near)}`
      context.diagnostic(said)
      assert.ok(same.mean <= TILE_MEAN_MAX && same.edgesDb >= TILE_EDGES_DB_MIN, said)
      assert.ok(near.mean > TILE_MEAN_MAX && near.edgesDb < TILE_EDGES_DB_MIN, said)
    }
  })

  it('a WebP has the pixels of the service, by a decoder that is loaded for it alone', async context => {
    const id = 'oak-frame-portrait'
    await visit.page.locator(`[data-tile="${id}"] .tile-canvas:not([hidden])`).waitFor({ state: 'attached' })
    assert.equal(webpLoads(), 0, 'a JPEG does not load it')
    const email = 'webp@example.com'
    await using other = await enter(email)
    const loads = countWebpLoads(other.page)
    const buffer = await sharp(artwork).negate().webp({ quality: 90 }).toBuffer()
    await openGallery(other.page, { name: 'Petals.webp', mimeType: 'image/webp', buffer })
    const tile = other.page.locator(`[data-tile="${id}"]`)
    await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    const shown = await pixmapOf(await pictureOfTile(tile))
    assert.ok(loads() > 0, 'a WebP loads it')
    const fields = { template_id: id, width: String(TILE_WIDTH_PX), placement: JSON.stringify(placement) }
    const rendered = await renderPng(service, { key: await keyOf(email), artwork: buffer, type: 'webp', fields })
    const compared = comparePictures(shown, await pixmapOf(rendered))
    context.diagnostic(inWords(compared))
    assert.ok(compared.mean <= TILE_MEAN_MAX && compared.edgesDb >= TILE_EDGES_DB_MIN, inWords(compared))
  })

  it('the close look in a colour of the product is the mockup of 2,000 px', async context => {
    const { page } = visit
    const id = 'white-tee-flat-lay'
    const tile = page.locator(`[data-tile="${id}"]`)
    await tile.locator('.tile-canvas:not([hidden])').waitFor({ state: 'attached' })
    await tile.press('Enter')
    const look = page.getByRole('dialog')
    await look.getByRole('radio', { name: 'Red' }).check()
    const shirt = (await look.locator('.swatch-other code').textContent()) ?? ''
    assert.notEqual(shirt, '#ffffff')
    await look.getByText('exactly the pixels of the rendered mockup').waitFor()
    const picture = await pictureOf(look.getByRole('img', { name: /with your artwork$/ }))
    const fields = { template_id: id, placement: JSON.stringify(placement) }
    const rendered = await render(key, { ...fields, width: '2000', colors: JSON.stringify({ shirt }) })
    const red = comparePictures(await pixmapOf(picture), rendered)
    const small = await sharp(picture).resize(TILE_WIDTH_PX).toBuffer()
    const white = comparePictures(await pixmapOf(small), await render(key, { ...fields, width: String(TILE_WIDTH_PX) }))
    const said = `${inWords(red)}; beside the white one: ${inWords(white)}`
    context.diagnostic(said)
    assert.ok(red.mean <= LOOK_MEAN_MAX && white.mean > LOOK_MEAN_MAX, said)
  })
})
