import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { TestService } from '../http/test-service.ts'
import { plainPicture, writeBundle } from '../mockups/test-bundle.ts'

const parameter = z.object({ key: z.string(), value: z.string(), disabled: z.literal(true) })
const item = z.object({
  name: z.string(),
  request: z.object({
    method: z.string(),
    url: z.object({ raw: z.string().startsWith('{{baseUrl}}'), query: z.array(parameter) }),
    header: z.array(z.object({ key: z.string(), value: z.string() })).default([]),
    body: z
      .discriminatedUnion('mode', [
        z.object({ mode: z.literal('raw'), raw: z.string() }),
        z.object({
          mode: z.literal('formdata'),
          formdata: z.array(
            z.discriminatedUnion('type', [
              z.object({ type: z.literal('text'), key: z.string(), value: z.string() }),
              z.object({ type: z.literal('file'), key: z.string() }),
            ]),
          ),
        }),
      ])
      .optional(),
  }),
})
const collection = z.object({
  info: z.object({ schema: z.string().endsWith('/v2.1.0/collection.json') }),
  variable: z.array(z.object({ key: z.string(), value: z.string() })),
  item: z.array(z.object({ name: z.string(), item: z.array(item) })),
})

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', { environment: { PUBLIC_URL: 'https://mockups.shop.test' } })
  const bundles = await mkdtemp(path.join(os.tmpdir(), 'vitrine-postman-'))
  for (const [id, frameCount] of [
    ['oak-frame-portrait', 1],
    ['white-mug-walnut-table', 1],
    ['square-cushion-sofa', 1],
    ['gallery-wall-three', 3],
  ] as const)
    await service.addBundles(await writeBundle(bundles, id, frameCount))
  // The one whose example uses a colour.
  await service.addStarters('white-tee-flat-lay')
  await rm(bundles, { recursive: true })
})
after(() => service[Symbol.asyncDispose]())

/** Sends a request as Postman does, with a chosen file and the URLs of real pictures. */
async function send({ request }: z.infer<typeof item>, variables: Readonly<Record<string, string>>) {
  const headers = new Headers(request.header.map(({ key, value }) => [key, value]))
  headers.set('Authorization', `Bearer ${variables['apiKey']}`)
  const form = new FormData()
  const { body } = request
  for (const field of body?.mode === 'formdata' ? body.formdata : []) {
    const file = new Blob([new Uint8Array(await plainPicture(30, 30, [255, 0, 0]))])
    if (field.type === 'text') form.append(field.key, field.value)
    else form.append(field.key, file, 'chosen.png')
  }
  const raw =
    body?.mode === 'raw'
      ? body.raw.replaceAll('https://example.com/artwork.jpg', `${service.origin.url}/red.png`)
      : form
  return fetch(
    request.url.raw.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? ''),
    {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body: raw }),
    },
  )
}

test('every request of the collection for Postman succeeds as it is', async () => {
  const { key } = await service.customer()
  const url = `${service.running.url}/api/v1/postman.json`
  const { variable, item: folders } = collection.parse(await (await fetch(url)).json())
  assert.deepEqual(variable, [
    { key: 'baseUrl', value: 'https://mockups.shop.test/api/v1' },
    { key: 'apiKey', value: '' },
  ])
  const variables = { baseUrl: `${service.running.url}/api/v1`, apiKey: key }
  const items = folders.flatMap(({ item }) => item)
  for (const item of items) {
    const answer = await send(item, variables)
    assert.equal(answer.status, 200, `${item.name}: ${await answer.text()}`)
  }
  const sent = new Set(items.map(({ request }) => `${request.method} ${request.url.raw.replace('{{baseUrl}}', '')}`))
  const documented = Object.entries(service.interface.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual([...sent].sort(), documented.sort())
})
