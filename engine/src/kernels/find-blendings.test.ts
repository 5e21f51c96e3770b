import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blendModeNames, blendModes } from '../blending/blend-modes.ts'
import { loadKernels } from '../node/index.ts'
import { KernelInstance } from '../webassembly/kernel-instance.ts'
import { findBlendings } from './find-blendings.ts'

describe('the blend modes of the frame kernel', () => {
  it('are all modes of the engine, each with a formula or a table', () => {
    const instance = new KernelInstance(loadKernels().get('frame-drawer'))
    const blendings = findBlendings(name => instance.constant(name))
    assert.deepEqual([...blendings.keys()], blendModeNames)
    const formulas = [...blendings.values()].flatMap(({ mode, tableOf }) => (tableOf === null ? [mode] : []))
    assert.equal(new Set(formulas).size, formulas.length)
    for (const name of blendModeNames) {
      if (blendModes[name].kind === 'non-separable') assert.equal(blendings.get(name)?.tableOf, null, name)
    }
  })

  it('must include every non-separable mode', () => {
    const withoutHue = (name: string): number | undefined => (name === 'MODE_HUE' ? undefined : 1)
    assert.throws(() => findBlendings(withoutHue), /no formula for the blending mode hue/)
  })
})
