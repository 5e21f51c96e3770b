import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { templateList } from '@vitrine/contract'
import { type Customer, describeContract, errorOf, type TestService } from '../http/test-service.ts'
import { writeBundle } from '../mockups/test-bundle.ts'

/** Imports a template with changes to its description. */
async function importTemplate(service: TestService, id: string, changes: object, ownerAccountId: string | null = null) {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'vitrine-list-'))
  try {
    const folder = await writeBundle(parent, id)
    const file = path.join(folder, 'template.json')
    const described: unknown = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(Object.assign({}, described, changes)))
    await service.running.services.templates.importBundle({ path: folder, ownerAccountId })
  } finally {
    await rm(parent, { recursive: true })
  }
}

const refused: readonly [query: string, parameter: string][] = [
  ['type=poster', 'type'],
  ['type=', 'type'],
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=x', 'page'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['page=1&page=2', 'page'],
  ['search=a&search=b', 'search'],
]

// A service of its own: others add templates for all accounts, which are counted here.
describeContract(
  'interface.md, "Lists"',
  use => {
    let prepared: Promise<{ owner: Customer; stranger: Customer }> | null = null
    const prepare = (service: TestService) =>
      (prepared ??= (async () => {
        const owner = await service.customer()
        await importTemplate(service, 'mug', {
          name: 'Ärmel 100%',
          category: 'Mugs',
          type: 'product',
          surface_type: 'ceramic',
        })
        await importTemplate(service, 'private', { name: 'A private one', category: 'Wall Art' }, owner.accountId)
        return { owner, stranger: await service.customer() }
      })())
    const list = async (service: TestService, key: string, query = '') => {
      const answer = await service.send({ path: `/templates${query}`, key })
      assert.equal(answer.status, 200, JSON.stringify(answer.json))
      return templateList.parse(answer.json)
    }
    const ids = async (query: string) => {
      const { owner } = await prepare(use())
      return (await list(use(), owner.key, query)).templates.map(({ id }) => id)
    }

    test('shared templates and the account’s own, by name, then id; strangers do not see it', async () => {
      const { owner, stranger } = await prepare(use())
      const seen = await list(use(), owner.key)
      assert.deepEqual(
        seen.templates.map(({ name }) => name),
        ['A private one', 'Test one-frame', 'Test two-frames', 'Ärmel 100%'],
      )
      assert.deepEqual(seen.pagination, { page: 1, limit: 50, total: 4, total_pages: 1 })
      assert.deepEqual(seen.categories, ['Mugs', 'Tests', 'Wall Art'])
      const strange = await list(use(), stranger.key)
      assert.deepEqual(
        strange.templates.map(({ id }) => id),
        ['one-frame', 'two-frames', 'mug'],
      )
      assert.deepEqual(strange.categories, ['Mugs', 'Tests'])
    })

    test('a private template of another account is 404 to generate with, and 200 for its owner', async () => {
      const service = use()
      const { owner, stranger } = await prepare(service)
      const body = { template_id: 'private', artwork_url: `${service.origin.url}/red.png`, width: 8 }
      assert.equal(errorOf(await service.generate(stranger.key, body)).code, 'TEMPLATE_NOT_FOUND')
      assert.equal((await service.generate(owner.key, body)).status, 200)
    })

    test('a template has all fields of the interface', async () => {
      const { owner } = await prepare(use())
      const { templates } = await list(use(), owner.key, '?search=100%25')
      const [mug] = templates
      assert(mug !== undefined)
      const { thumbnail_url, ...rest } = mug
      assert.deepEqual(rest, {
        id: 'mug',
        name: 'Ärmel 100%',
        category: 'Mugs',
        frame_count: 1,
        aspect_ratio: 1,
        blending_mode: 'normal',
        render_mode: 'corners',
        surface_type: 'ceramic',
        is_product_template: true,
        frames: [{ index: 0, aspect_ratio: 1 }],
        colors: [],
      })
      const thumbnail = await fetch(thumbnail_url ?? '')
      assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/jpeg'])
      assert((await thumbnail.bytes()).length > 100)
      const guessed = await fetch(thumbnail_url?.replace(/.\.jpg$/, '~.jpg') ?? '')
      assert.equal(guessed.status, 404)
    })

    for (const [query, expected] of [
      ['?type=product', ['mug']],
      ['?type=print', ['private', 'one-frame', 'two-frames']],
      ['?category=wall%20art', ['private']],
      ['?category=wall', []],
      ['?search=ÄRMEL', ['mug']],
      ['?search=ärm', ['mug']],
      ['?search=%25', ['mug']],
      ['?search=%', ['mug']],
      ['?search=100%', ['mug']],
      ['?search=%zz', []],
      ['?search=%ff', []],
      ['?search=_', []],
      ['?category=', []],
      ['?category=%', []],
      ['?search=', ['private', 'one-frame', 'two-frames', 'mug']],
      ['?search=%00', []],
      ['?search=test&type=print&category=TESTS', ['one-frame', 'two-frames']],
      ['?search=test&type=product', []],
      ['?limit=2', ['private', 'one-frame']],
      ['?limit=2&page=2', ['two-frames', 'mug']],
      ['?limit=100&page=9', []],
      ['?page=9007199254740991', []],
      ['?unknown=1', ['private', 'one-frame', 'two-frames', 'mug']],
    ] as const)
      test(`${query} lists ${expected.length}`, async () => {
        assert.deepEqual(await ids(query), expected)
      })

    test('categories ignore the filters, and the pages count matches', async () => {
      const { owner } = await prepare(use())
      const found = await list(use(), owner.key, '?type=print&limit=2&page=2')
      assert.deepEqual(found.categories, ['Mugs', 'Tests', 'Wall Art'])
      assert.deepEqual(found.pagination, { page: 2, limit: 2, total: 3, total_pages: 2 })
    })

    for (const [query, parameter] of refused)
      test(`?${query} is 400 INVALID_PARAMETER`, async () => {
        const { owner } = await prepare(use())
        const answer = await use().send({ path: `/templates?${query}`, key: owner.key })
        assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_PARAMETER'])
        assert.match(JSON.stringify(errorOf(answer).details), new RegExp(`"parameter":"${parameter}"`))
      })
  },
  {},
)
