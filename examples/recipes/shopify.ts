/**
 * Shopify: a product that was created gets its mockups as images.
 *
 *   node examples/recipes/shopify.ts
 *
 * SHOPIFY_GRAPHQL_URL is https://YOUR-SHOP.myshopify.com/admin/api/2026-10/graphql.json
 */
import { makeMockups } from './make-mockups.ts'
import { readField, readList, readText } from './read-json.ts'
import { setting } from './setting.ts'
import { listenForWebhooks } from './webhook.ts'

/** Shopify refuses a side over 4,472 px, and 20 megapixels: no scene that ships has them at this width. */
const WIDTH_PX = 2000

const ADD_MEDIA = `mutation add($product: ProductUpdateInput!, $media: [CreateMediaInput!]) {
  productUpdate(product: $product, media: $media) { userErrors { field message } }
}`

async function addImages(productId: string, title: string, urls: readonly string[]): Promise<void> {
  const media = urls.map(originalSource => ({ originalSource, alt: title, mediaContentType: 'IMAGE' }))
  const answer = await fetch(setting('SHOPIFY_GRAPHQL_URL'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': setting('SHOPIFY_ACCESS_TOKEN') },
    body: JSON.stringify({ query: ADD_MEDIA, variables: { product: { id: productId }, media } }),
    signal: AbortSignal.timeout(30_000),
  })
  const json: unknown = await answer.json()
  const problems = [...readList(json, 'errors'), ...readList(json, 'data', 'productUpdate', 'userErrors')]
  if (!answer.ok || problems.length > 0)
    throw new Error(`Shopify answered ${answer.status}: ${JSON.stringify(problems)}`)
}

/** The first image of the new product is the artwork. */
async function handleProduct(product: unknown): Promise<void> {
  const id = readText(product, 'admin_graphql_api_id')
  const artworkUrl = readText(readList(product, 'images')[0], 'src')
  if (id === '' || artworkUrl === '') {
    console.log('left out: a product without an image', readField(product, 'id'))
    return
  }
  const templateIds = setting('TEMPLATES').split(',')
  const mockups = await makeMockups({ artworkUrl, templateIds, widthPx: WIDTH_PX, name: `shopify-${id}` })
  await addImages(
    id,
    readText(product, 'title'),
    mockups.map(({ url }) => url),
  )
  console.log('added', mockups.length, 'images to', id)
}

listenForWebhooks({
  port: Number(process.env['PORT'] ?? 3000),
  secret: setting('SHOPIFY_WEBHOOK_SECRET'),
  signatureHeader: 'x-shopify-hmac-sha256',
  handle: handleProduct,
})
