import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { buildTemplateSchema } from '../../src/template/template-schema.ts'
import { colorFieldRules, goodArea } from './color-field-rules.ts'
import { assertFault, changed } from './describe-rules.ts'
import { frameFieldRules } from './frame-field-rules.ts'
import { goodBundle, goodDescription, goodMapDescription, jsonBytes } from './make-bundle.ts'
import { giveLitStack, giveStack, stackFieldRules } from './stack-field-rules.ts'
import { templateFieldRules } from './template-field-rules.ts'

const rules = [...templateFieldRules, ...frameFieldRules, ...colorFieldRules, ...stackFieldRules]

describe('a bundle is refused by its description, one rule at a time:', () => {
  for (const { rule, change, field, ...promised } of rules) {
    it(rule, async () => {
      const files = await goodBundle()
      files['template.json'] = jsonBytes(changed(change))
      await assertFault(files, fault => fault.field === field, promised)
    })
  }
})

describe('the JSON Schema of template.json', () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
    buildTemplateSchema(),
  )

  it('accepts good descriptions, and warnings', () => {
    assert.ok(validate(goodDescription()), JSON.stringify(validate.errors))
    assert.ok(validate(goodMapDescription()), JSON.stringify(validate.errors))
    assert.ok(validate({ ...goodDescription(), colors: [goodArea] }), JSON.stringify(validate.errors))
    assert.ok(validate(changed(giveStack)), JSON.stringify(validate.errors))
    assert.ok(validate(changed(giveLitStack)), JSON.stringify(validate.errors))
    for (const { rule, change, severity } of rules)
      if (severity === 'warning') assert.ok(validate(changed(change)), rule)
  })

  it('refuses what the check refuses, but for what needs the files, geometry or another field', () => {
    const beyond = rules
      .filter(({ change, severity }) => severity === undefined && validate(changed(change)))
      .map(({ rule }) => rule)
    assert.deepEqual(beyond, [
      'blending_mode of a lit frame is normal',
      'tone needs lighting',
      'the thumbnail is a file',
      'named files are there',
      'corners do not cross',
      'corners are convex',
      'corners span an area',
      'corners lie within four scene sizes',
      'a region lies on the scene',
      'a region is near the scene',
      'effects are for frames without lighting',
      'colour areas have different names',
      'the default of an area without lighting is light enough to be divided out',
      'a colour area has a mask',
      'dark is compared with lighting',
      'dark is darker than the default in each channel',
      'dark_lighting is of a frame with lighting',
      'dark_lighting is of a frame on an area with dark',
      'surface is a colour area',
      'an operation draws a frame that there is',
      'a frame is drawn once',
      'a frame does not draw itself',
      'every frame is drawn',
      'an operation draws a colour that there is',
      'a colour of the stack has no lighting',
      'a colour area without a mask is one of the stack',
      'the pictures of an affine lie over each other',
      'an affine is not drawn in a group',
      'lists are 4 deep at most',
      'there are 64 operations at most',
    ])
  })
})
