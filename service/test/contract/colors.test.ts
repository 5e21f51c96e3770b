import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { batchResult, templateList } from '@vitrine/contract'
import { createSharpCodec } from '@vitrine/engine/node'
import { type Customer, describeOnOneDatabase, errorOf, type TestService } from '../http/test-service.ts'
import { floorArea, writeBundle } from '../mockups/test-bundle.ts'

const codec = createSharpCodec()
const known = ['floor']

describeOnOneDatabase('interface.md, "Colours of the product"', use => {
  let customer: Customer | null = null
  const caller = async (service: TestService): Promise<Customer> => {
    if (customer !== null) return customer
    const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-colors-'))
    const bundle = await writeBundle(folder, 'colored', 1, [floorArea])
    await service.addBundles(bundle)
    await rm(folder, { recursive: true })
    return (customer = await service.customer(1000))
  }
  const bodyOf = (service: TestService, fields: Record<string, unknown> = {}) => ({
    template_id: 'colored',
    artwork_url: `${service.origin.url}/red.png`,
    width: 40,
    format: 'png',
    ...fields,
  })
  /** The colour of a pixel below the frame. */
  const floorOf = async (bytes: Uint8Array) => {
    const { data, widthPx } = await codec.decodeLayer(bytes, 'rgb')
    const at = (48 * widthPx + 20) * 3
    return [...data.subarray(at, at + 3)]
  }

  test('the list includes the areas of a template, their defaults and suggestions', async () => {
    const service = use()
    const { key } = await caller(service)
    const answer = await service.send({ key })
    const { templates } = templateList.parse(answer.json)
    const { name, default: color, suggestions } = floorArea
    const colors = templates.map(template => [template.id, template.colors])
    assert.deepEqual(Object.fromEntries(colors), {
      colored: [{ name, default: color, suggestions }],
      'one-frame': [],
      'two-frames': [],
    })
  })

  test('a colour has the same effect in JSON and in a form, and the default one gives the same bytes as none', async () => {
    const service = use()
    const { key } = await caller(service)
    const plain = await service.generate(key, bodyOf(service))
    assert.deepEqual(await floorOf(plain.bytes), [120, 120, 120])
    const json = await service.generate(key, bodyOf(service, { colors: { floor: '#1F2A44' } }))
    assert.equal(json.status, 200)
    assert.deepEqual(await floorOf(json.bytes), [0x1f, 0x2a, 0x44])
    for (const colors of [{ floor: '#787878' }, {}, { floor: null }, null]) {
      const same = await service.generate(key, bodyOf(service, { colors }))
      assert.deepEqual(same.bytes, plain.bytes, JSON.stringify(colors))
    }
    const form = new FormData()
    const artwork = await (await fetch(`${service.origin.url}/red.png`)).blob()
    form.set('artwork', artwork, 'red.png')
    for (const [name, value] of Object.entries({ template_id: 'colored', width: '40', format: 'png' }))
      form.set(name, value)
    form.set('colors', '{"floor":"#1f2a44"}')
    assert.deepEqual((await service.generate(key, form)).bytes, json.bytes)
  })

  test('in a batch a colour applies to the templates that have its area', async () => {
    const service = use()
    const { key } = await caller(service)
    const body = bodyOf(service, { template_id: null, response_format: 'json', colors: { floor: '#1f2a44' } })
    const answer = await service.generate(key, { ...body, template_ids: ['one-frame', 'colored'] })
    assert.equal(answer.status, 200)
    const { results } = batchResult.parse(answer.json)
    const floors = await Promise.all(results.map(({ image }) => floorOf(Buffer.from(image, 'base64'))))
    assert.deepEqual(floors, [
      [120, 120, 120],
      [0x1f, 0x2a, 0x44],
    ])
  })

  test('an identical request with the same key is replayed, one with another colour is refused', async () => {
    const service = use()
    const { key } = await caller(service)
    const send = (color: string) =>
      service.generate(key, bodyOf(service, { colors: { floor: color } }), { 'Idempotency-Key': 'colored' })
    const first = await send('#1f2a44')
    assert.deepEqual((await send('#1F2A44')).bytes, first.bytes)
    assert.equal(errorOf(await send('#ff0000')).code, 'IDEMPOTENCY_MISMATCH')
  })

  for (const [row, colors, template, details] of [
    ['an unknown area', { shirt: '#1f2a44' }, 'colored', { parameter: 'colors', received: 'shirt', allowed: known }],
    [
      'a template without areas',
      { floor: '#1f2a44' },
      'one-frame',
      { parameter: 'colors', received: 'floor', allowed: [] },
    ],
    [
      'a colour by its name',
      { floor: 'navy' },
      'colored',
      { parameter: 'colors.floor', received: 'navy', allowed: 'a colour like "#1f2a44"' },
    ],
    ['a number', { floor: 5 }, 'colored', null],
    ['three digits', { floor: '#fff' }, 'colored', null],
    ['a list', ['#1f2a44'], 'colored', null],
    ['a text', '#1f2a44', 'colored', null],
    ['too many entries', Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, 5])), 'colored', null],
  ] as const)
    test(`${row}: 400 INVALID_PARAMETER, and nothing is charged`, async () => {
      const service = use()
      const { key } = await caller(service)
      const before = await service.balance(key)
      const answer = await service.generate(key, bodyOf(service, { colors, template_id: template }))
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_PARAMETER'])
      assert.match(errorOf(answer).error, /^Expected .+ but received .+\.$/)
      if (details !== null) assert.deepEqual(errorOf(answer).details, details)
      assert.equal(await service.balance(key), before)
    })
})
