import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  dashboardErrorBodySchema,
  dashboardTemplateListSchema,
  dashboardTemplateSchema,
  limits,
  templateMarksSchema,
} from '@vitrine/contract'
import { TAGS_PER_ACCOUNT } from '../../src/templates/limits.ts'
import { describeContract } from '../http/test-service.ts'
import { Visitor } from './visitor.ts'

const LIST_PATH = '/dashboard/api/templates'
const marksPath = (id: string) => `${LIST_PATH}/${id}/marks`

describeContract('Favourites and tags of templates', use => {
  const list = (visitor: Visitor, query: string) => visitor.read(dashboardTemplateListSchema, `${LIST_PATH}?${query}`)
  const idsOf = async (visitor: Visitor, query: string) =>
    (await list(visitor, query)).templates.map(({ id }) => id).sort()
  const refusalOf = async (visitor: Visitor, body: unknown) => {
    const answer = await visitor.send(marksPath('one-frame'), { json: body })
    return [answer.status, dashboardErrorBodySchema.parse(await answer.json()).code]
  }

  it('find templates again, are shown wherever the template is, and are private to the account', async () => {
    const visitor = await Visitor.enter(use(), 'marks@example.com')
    const stranger = await Visitor.enter(use(), 'marks-nothing@example.com')
    const set = (id: string, json: unknown) => visitor.read(templateMarksSchema, marksPath(id), json)
    assert.deepEqual(await set('one-frame', { favourite: true }), { favourite: true, tags: [] })
    const both = { favourite: true, tags: ['Café Müller', 'Spring'] }
    assert.deepEqual(await set('one-frame', { tags: ['Spring', 'Café Müller'] }), both)
    await set('two-frames', { tags: [' spring '] })
    for (const query of ['show=favourites', 'tag=CAF%C3%89%20m%C3%BCller'])
      assert.deepEqual(await idsOf(visitor, query), ['one-frame'], query)
    assert.deepEqual(await idsOf(visitor, 'tag=Spring'), ['one-frame', 'two-frames'])
    assert.deepEqual(await idsOf(visitor, 'tag=Spring&search=two'), ['two-frames'])
    const all = await list(visitor, '')
    assert.deepEqual(all.tags, ['Café Müller', 'Spring'])
    for (const template of [
      all.templates.find(({ id }) => id === 'one-frame'),
      await visitor.read(dashboardTemplateSchema, `${LIST_PATH}/one-frame`),
    ])
      assert.deepEqual({ favourite: template?.favourite, tags: template?.tags }, both)
    const theirs = await list(stranger, '')
    assert.deepEqual(theirs.tags, [])
    assert.ok(theirs.templates.every(({ favourite, tags }) => !favourite && tags.length === 0))
    assert.deepEqual(await idsOf(stranger, 'show=favourites'), [])
    assert.deepEqual(await set('one-frame', { favourite: false, tags: [] }), { favourite: false, tags: [] })
    // The other template retains the spelling that was used first.
    assert.deepEqual((await list(visitor, '')).tags, ['Spring'])
    assert.deepEqual(await idsOf(visitor, 'show=favourites'), [])
  })

  it('are limited: length and number of a template’s tags, and different tags of an account', async () => {
    const visitor = await Visitor.enter(use(), 'many-marks@example.com')
    const { templateTagsMax, templateTagCharactersMax } = limits
    const tags = (from: number, count: number) => Array.from({ length: count }, (_, i) => `tag ${from + i}`)
    assert.deepEqual(await refusalOf(visitor, { tags: tags(0, templateTagsMax + 1) }), [400, 'INVALID_FIELD'])
    for (const tag of ['', '  ', 'a\u0000b', '\uD800', 'x'.repeat(templateTagCharactersMax + 1)])
      assert.deepEqual(await refusalOf(visitor, { tags: [tag] }), [400, 'INVALID_FIELD'], JSON.stringify(tag))
    const accountId = await visitor.accountId()
    const { templateMarks } = use().running.services
    for (let i = 0; i < TAGS_PER_ACCOUNT; i += templateTagsMax)
      await templateMarks.set(accountId, `of-another-time-${i}`, { tags: tags(i, templateTagsMax) })
    await visitor.read(templateMarksSchema, marksPath('one-frame'), { favourite: true, tags: ['TAG 1'] })
    assert.deepEqual(await refusalOf(visitor, { tags: ['one more'] }), [409, 'TEMPLATE_MARKS_FULL'])
    const kept = await visitor.read(dashboardTemplateSchema, `${LIST_PATH}/one-frame`)
    assert.deepEqual(kept.tags, ['tag 1'])
  })

  it('end with their account', async () => {
    const visitor = await Visitor.enter(use(), 'marks-and-goes@example.com')
    const accountId = await visitor.accountId()
    await visitor.read(templateMarksSchema, marksPath('one-frame'), { favourite: true, tags: ['Mine'] })
    const confirmed = { json: { email: 'marks-and-goes@example.com' } }
    assert.equal((await visitor.send('/dashboard/api/account/delete', confirmed)).status, 200)
    const { templateMarks } = use().running.services
    const left = await templateMarks.read(accountId, ['one-frame'])
    assert.deepEqual([left.tags, left.of('one-frame')], [[], { favourite: false, tags: [] }])
  })
})
