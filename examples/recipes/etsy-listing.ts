/**
 * Etsy: the pictures of a listing, in the order in which they are shown.
 *
 *   node examples/recipes/etsy-listing.ts https://example.com/artwork.jpg listing/
 *
 * TEMPLATES is the list of templates; the first becomes the thumbnail of the listing.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeMockups } from './make-mockups.ts'
import { setting } from './setting.ts'

/** Etsy recommends 2,000 px on the shorter side, which scenes of up to 3:2 have at this width. */
const WIDTH_PX = 3000

const [, , artworkUrl, folder] = process.argv
if (artworkUrl === undefined || folder === undefined)
  throw new Error('Expected the address of an artwork, and a folder.')

const templateIds = setting('TEMPLATES').split(',')
const name = `etsy-${path.basename(path.resolve(folder))}`
const mockups = await makeMockups({ artworkUrl, templateIds, widthPx: WIDTH_PX, name })
await mkdir(folder, { recursive: true })
for (const [index, { templateId, url }] of mockups.entries()) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  const file = path.join(folder, `${String(index + 1).padStart(2, '0')}-${templateId}.jpg`)
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  console.log(file)
}
