import { errorCodes, errorDefinition } from '../error-catalogue.ts'
import { MADE_KEY_PREFIX } from '../headers.ts'
import { limits } from '../limits.ts'

/** A chapter of /docs, of /llms.txt and of the documentation for assistants. */
export type Chapter = {
  /** Identifies it in URLs. */
  readonly id: string
  readonly title: string
  /** Markdown without a heading. */
  readonly text: string
}

const BYTES_OF_A_MEGABYTE = 1024 * 1024
const artworkMegabytes = limits.artworkSizeBytesMax / BYTES_OF_A_MEGABYTE

/** The path of a picture that every service has, so that the first request needs no file. */
export const SAMPLE_ARTWORK_PATH = '/sample-artwork.jpg'

const code = (language: string, text: string): string => ['```' + language, text, '```'].join('\n')

/** A shop's page with a live preview, for copying: only the publishable key must be filled in. */
export const buildEmbeddingPage = (publicUrl: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Mug with your picture</title>
    <script type="module" src="${publicUrl}/embed/v1/vitrine-mockup.js"></script>
  </head>
  <body>
    <form action="/cart" method="post" enctype="multipart/form-data">
      <vitrine-mockup publishable-key="vtp_your_key" template="white-mug-marble"
        name="mockup" artwork-name="artwork" alt="A mug with your picture" editable required>
        A white mug
      </vitrine-mockup>
      <button>Add to cart</button>
    </form>
  </body>
</html>`

function firstMockup(publicUrl: string): string {
  return [
    'Three steps, two minutes.',
    '',
    `1. **Get a key.** Sign in at [${publicUrl}/](${publicUrl}/), open *Keys*, create one. It is shown once. The first start of a service prints one on its terminal.`,
    '2. **Get a picture.** Any JPEG, PNG, WebP or GIF; or take the sample of this service:',
    '',
    code(
      'sh',
      `export VITRINE_API_KEY=vt_your_key\ncurl --fail-with-body -s -o artwork.jpg ${publicUrl}${SAMPLE_ARTWORK_PATH}`,
    ),
    '',
    '3. **Make the mockup.** The answer is the finished picture:',
    '',
    code(
      'sh',
      [
        `curl --fail-with-body ${publicUrl}/api/v1/mockups/generate \\`,
        '  -H "Authorization: Bearer $VITRINE_API_KEY" \\',
        '  -F template_id=oak-frame-portrait \\',
        '  -F artwork=@artwork.jpg \\',
        '  -o mockup.jpg',
      ].join('\n'),
    ),
    '',
    'There is no job to poll and nothing to download afterwards: the answer comes within seconds. Wait 30 seconds before you give up.',
    '',
    '`GET /templates` lists what you can put in place of `oak-frame-portrait`. In JavaScript use the package `@vitrine/client`, in Python `vitrine-client`: they send files, retry without a second charge, and make thousands of mockups in runs that resume after a crash.',
  ].join('\n')
}

const keys = [
  'Every request carries `Authorization: Bearer <API_KEY>`. A key is `vt_` and 36 characters and belongs to an account; it is created and revoked in the dashboard.',
  '',
  '- **Keep it on your server.** A key in a page is available to everyone who opens the page: the interface answers no page of another origin.',
  '- **One for each program**, so that one can be revoked without the others. Rate limits and usage are counted per key.',
  '- A key may be limited to reading or rendering, to addresses, and in time. Rotate it every 90 days: the old one works for another day beside the new one.',
  '- `401 MISSING_API_KEY`: the header is not there. `401 INVALID_API_KEY`: the key is mistyped, revoked or expired, or was not sent as a bearer token. `403 ACCOUNT_SUSPENDED`: the key is right, and the operator has suspended its account.',
].join('\n')

const credits = [
  'Credits are bought in advance in the dashboard. **One mockup costs one credit, an error costs nothing.** A batch of twelve templates costs twelve, all or nothing.',
  '',
  '- Answers have `X-Credits-Used` and `X-Credits-Remaining`. `GET /billing/balance` has the credits that can be spent.',
  '- Too few: `402 INSUFFICIENT_CREDITS` with `required_cents` and `balance_cents`, before anything is downloaded or rendered.',
  '- **Try again** after 408, 429, 500 and 503, and after a broken connection: wait as long as `Retry-After` says, else half a second, doubled each time, up to five times. Never repeat 400, 401, 402, 404, 413, 415 and 422 unchanged.',
  '- A connection that breaks *after* the mockup was made has been charged. Send an `Idempotency-Key`, and the retry is free.',
].join('\n')

const idempotency = [
  'Send the header `Idempotency-Key` with a name of your own, such as `order-1042-front`:',
  '',
  '- The same key with the same request within 24 hours returns the same bytes again, without a charge (`Idempotency-Replayed: true`).',
  '- The same key with another request is `422 IDEMPOTENCY_MISMATCH`; while the first one still runs it is `409 IDEMPOTENCY_CONFLICT`. A request that failed frees its key.',
  `- An account stores up to 1,000 answers or 2 GiB; the oldest are deleted first. Keys generated by a program begin with \`${MADE_KEY_PREFIX}\`: their answers are deleted before those of keys that you chose.`,
  '',
  '**A link instead of bytes.** With an `Idempotency-Key` the answer also has an address: `X-Mockup-Url`, and in JSON `url` beside each image. It gives the picture without a key for the same 24 hours, to shops, no-code steps and `<img>` alike. It cannot be guessed; give it only to people who may have the picture.',
].join('\n')

const batch = [
  `\`template_ids\` instead of \`template_id\`, with \`response_format\` \`json\`, makes up to ${limits.batchTemplatesMax} mockups of one artwork in one request. The results are in the order of the ids, each with its picture as base64.`,
  '',
  '- It counts as one request and costs one credit for each template; if one of them fails, none is charged.',
  '- For thousands of mockups send batches one after another, four at a time. `renderAll` of the clients and `vitrine batch` do that, record what is done, and slow down when the service is busy.',
].join('\n')

const artwork = [
  `JPEG, PNG, WebP or GIF (its first frame), up to ${artworkMegabytes} MB and 100 megapixels. Colour profiles, CMYK, EXIF orientation and transparency are honoured.`,
  '',
  '- **As a file**: a multipart form with the part `artwork`; for a template of several frames `artwork_0`, `artwork_1`, …',
  '- **As an address**: JSON with `artwork_url`, or `artwork_urls` as an object by frame: `{"0": "https://…", "1": "https://…"}`. It must be public and answer within 15 seconds.',
  '- **Placement**: without one, artwork fills its frame and is cropped around its centre. `placement` fits, scales, turns, moves, mirrors or repeats it: `{"fit": "contain", "scale": 0.35, "x": 0.66, "y": 0.24}`. In a form it is JSON text.',
  '- **Colours** of the product: `{"shirt": "#1f2a44"}`; `GET /templates` lists the parts of each template.',
  '- **Sharpness**: `X-Artwork-Density` below 1 says that the artwork was enlarged.',
  `- **Size**: \`width\` 1 to ${limits.widthPxMax}, ${limits.widthPxDefault} without it; the height follows the scene. \`format\` is \`jpeg\` (\`quality\` 1 to 100, 85 without it) or \`png\`.`,
].join('\n')

const limitsText = [
  '| limit | value |',
  '|---|---|',
  '| requests of a key | 100 in 60 seconds and 10,000 in 24 hours, unless the service sets others |',
  '| requests without a valid key, by client address | 60 in 60 seconds |',
  `| artwork | ${artworkMegabytes} MB, 15 seconds to download |`,
  `| templates of a batch | ${limits.batchTemplatesMax} |`,
  `| width | ${limits.widthPxMax} pixels |`,
  `| body of JSON | ${limits.jsonBodySizeBytesMax / BYTES_OF_A_MEGABYTE} MB |`,
  '',
  'Every answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix time) of the window with fewer requests left. Beyond it is `429 RATE_LIMIT_EXCEEDED` with `Retry-After` in seconds. A busy service answers `503 SERVER_BUSY` with `Retry-After` at once and charges nothing.',
].join('\n')

function errors(): string {
  return [
    'Every error is JSON: `error` (a sentence for people), `code` (for programs), and, if they help, `details` and `hint`. An error costs nothing. Every answer has `X-Request-Id`: quote it when you ask for help.',
    '',
    '| status | code | when | what to do |',
    '|---|---|---|---|',
    ...errorCodes.map(code => {
      const { status, condition, hint, isRetryable } = errorDefinition(code)
      const cell = (text: string) => text.replaceAll('|', '\\|')
      return `| ${status} | \`${code}\` | ${cell(condition)} | ${cell(hint ?? (isRetryable ? 'Try again later.' : 'Change the request.'))} |`
    }),
  ].join('\n')
}

function embedding(publicUrl: string): string {
  return [
    'Shoppers see their own picture on your product, and move it, at once: the element `<vitrine-mockup>` draws it in their browser with the engine that makes the mockups. No picture is sent anywhere, and no credit is spent.',
    '',
    `1. **Make a publishable key** in the dashboard under [*Keys*](${publicUrl}/): \`vtp_\` and 36 characters. It may stand in a page: it opens small previews of templates for the sites that you name, and nothing else. A secret key (\`vt_\`) never belongs in a page.`,
    '2. **Put the element into the page.** This is a whole one; save it, put your key in, and serve its folder:',
    '',
    code('html', buildEmbeddingPage(publicUrl)),
    '',
    '3. **Make the mockup when the order comes.** The form has two parts: `mockup`, JSON with `template_id`, `placement` and `colors` as a request takes them, and `artwork`, the shopper’s file. Your server sends them to `POST /mockups/generate` with its secret key.',
    '',
    '- The key works for its listed origins: exact ones with https, and `http://localhost:*` on your own computer. Elsewhere the answer is `403 ORIGIN_NOT_ALLOWED`, and the page keeps what stands inside the element, such as an `<img>` of the product.',
    '- Events: `vitrine-ready`, `vitrine-change` (its `detail` is the value of the form), `vitrine-error` (`code` and `message`).',
    '- Without `editable` it only shows: `artwork="/uploads/42.png"` is the address of a picture that the page may read, or set the property `artwork` to a file. A template of several frames takes one picture for all, or `artworks` by frame.',
    `- A page with a Content-Security-Policy needs \`script-src ${publicUrl} 'wasm-unsafe-eval'; worker-src blob: ${publicUrl}; connect-src ${publicUrl}\`. There is no inline style, inline script or \`eval\`.`,
    '- Previews are at most 960 pixels wide, with a watermark if the key says so: who sees a preview can save it.',
  ].join('\n')
}

const goingLive = [
  '- The key comes from the environment or a secret store of your server, never from a page, an app or a repository. One key for each environment.',
  '- Every request that makes a mockup has an `Idempotency-Key` made of your order or product, so that nothing is paid twice.',
  '- Your timeout is 30 seconds or more, and retries wait as `Retry-After` says.',
  '- Watch `X-Credits-Remaining`, or `GET /billing/balance` once an hour, and buy credits in time: there is no automatic purchase.',
  '- Log `X-Request-Id` and `code` of what failed.',
  '- Links to results end after 24 hours: copy the picture to where your shop keeps its files.',
].join('\n')

/**
 * The chapters, for a service at this address.
 *
 * @param publicUrl without a trailing slash
 */
export function buildChapters(publicUrl: string): readonly Chapter[] {
  return [
    { id: 'first-mockup', title: 'Your first mockup', text: firstMockup(publicUrl) },
    { id: 'keys', title: 'Keys', text: keys },
    { id: 'credits-and-retries', title: 'Credits and retries', text: credits },
    { id: 'idempotency-and-links', title: 'Idempotency and links', text: idempotency },
    { id: 'batches', title: 'Batches', text: batch },
    { id: 'artwork-and-colours', title: 'Artwork, placement, colours', text: artwork },
    { id: 'embedding', title: 'In the pages of your shop', text: embedding(publicUrl) },
    { id: 'limits', title: 'Limits', text: limitsText },
    { id: 'errors', title: 'Errors', text: errors() },
    { id: 'going-live', title: 'Going live', text: goingLive },
  ]
}

/** The chapters as one text: /llms.txt, by the convention of llmstxt.org. */
export function buildGuide(publicUrl: string): string {
  return [
    '# Vitrine',
    '',
    '> Places artwork into designed scenes and answers with the finished mockup, in the same request. HTTP, API keys, pre-paid credits.',
    '',
    `The interface: [OpenAPI](${publicUrl}/api/v1/openapi.json), [for Postman](${publicUrl}/api/v1/postman.json), [for people](${publicUrl}/docs).`,
    '',
    ...buildChapters(publicUrl).flatMap(({ title, text }) => [`## ${title}`, '', text, '']),
  ].join('\n')
}
