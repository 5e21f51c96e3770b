/**
 * WooCommerce: a product that was created gets its mockups as images, in front of those that it has.
 *
 *   node examples/recipes/woocommerce.ts
 *
 * WOOCOMMERCE_URL is the address of the shop; its keys are made under Settings > Advanced > REST API.
 */
import { makeMockups } from './make-mockups.ts'
import { readField, readList, readText } from './read-json.ts'
import { setting } from './setting.ts'
import { listenForWebhooks } from './webhook.ts'

const WIDTH_PX = 2000

async function setImages(productId: string, images: readonly object[]): Promise<void> {
  const keys = `${setting('WOOCOMMERCE_CONSUMER_KEY')}:${setting('WOOCOMMERCE_CONSUMER_SECRET')}`
  const answer = await fetch(`${setting('WOOCOMMERCE_URL')}/wp-json/wc/v3/products/${encodeURIComponent(productId)}`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(keys).toString('base64')}`,
    },
    body: JSON.stringify({ images }),
    // The shop downloads the pictures before it answers.
    signal: AbortSignal.timeout(120_000),
  })
  if (!answer.ok) throw new Error(`WooCommerce answered ${answer.status}: ${await answer.text()}`)
}

/** The first image of the product is the artwork. The test that a shop sends for a new webhook has no id. */
async function handleProduct(product: unknown): Promise<void> {
  const id = readText(product, 'id')
  const own = readList(product, 'images')
  const artworkUrl = readText(own[0], 'src')
  if (id === '' || artworkUrl === '') {
    console.log('left out: a product without an image', id)
    return
  }
  const templateIds = setting('TEMPLATES').split(',')
  const mockups = await makeMockups({ artworkUrl, templateIds, widthPx: WIDTH_PX, name: `woocommerce-${id}` })
  // What is not named again is taken from the product.
  const kept = own.map(image => ({ id: readField(image, 'id') }))
  const alt = readText(product, 'name')
  await setImages(id, [...mockups.map(({ url }) => ({ src: url, alt })), ...kept])
  console.log('added', mockups.length, 'images to', id)
}

listenForWebhooks({
  port: Number(process.env['PORT'] ?? 3000),
  secret: setting('WOOCOMMERCE_WEBHOOK_SECRET'),
  signatureHeader: 'x-wc-webhook-signature',
  handle: handleProduct,
})
