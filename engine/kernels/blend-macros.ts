/** What the source of the stack's kernel takes from the table of blend modes. */
import type { Arithmetic } from '../src/blending/arithmetic.ts'
import { type BlendFormula, blendModeNames, blendModes, filledSources } from '../src/blending/blend-modes.ts'
import { constantName } from '../src/kernels/find-blendings.ts'

/** Numbers that formulas load: V8 builds vector constants again wherever they are used. */
const loaded = new Map<number, string>()

/** Writes a formula as statements on four floats at once; each is written once. */
class VectorSource implements Arithmetic<string> {
  readonly #names = new Map<string, string>()

  readonly constant = (value: number) => {
    if (value === 0) return 'zero'
    const name = loaded.get(value) ?? `NUMBER_${loaded.size}`
    loaded.set(value, name)
    return `v128.load(${name})`
  }
  readonly add = (a: string, b: string) => this.#name(`f32x4.add(${a}, ${b})`)
  readonly sub = (a: string, b: string) => this.#name(`f32x4.sub(${a}, ${b})`)
  readonly mul = (a: string, b: string) => this.#name(`f32x4.mul(${a}, ${b})`)
  readonly div = (a: string, b: string) => this.#name(`f32x4.div(${a}, ${b})`)
  readonly min = (a: string, b: string) => this.#name(`f32x4.pmin(${a}, ${b})`)
  readonly max = (a: string, b: string) => this.#name(`f32x4.pmax(${a}, ${b})`)
  readonly abs = (a: string) => this.#name(`f32x4.abs(${a})`)
  readonly sqrt = (a: string) => this.#name(`f32x4.sqrt(${a})`)
  readonly atMost = (a: string, b: string, ifTrue: string, ifFalse: string) => {
    const which = this.#name(`f32x4.le(${a}, ${b})`)
    if (ifTrue === 'zero') return this.#name(`v128.andnot(${ifFalse}, ${which})`)
    return this.#name(`v128.bitselect(${ifTrue}, ${ifFalse}, ${which})`)
  }

  /** The statements so far. */
  get lines(): string {
    return [...this.#names].map(([text, name]) => `const ${name} = ${text};`).join(' ')
  }

  #name(text: string): string {
    const known = this.#names.get(text) ?? `v${this.#names.size}`
    this.#names.set(text, known)
    return known
  }
}

const separableModes = blendModeNames.flatMap(mode => {
  const formula: BlendFormula = blendModes[mode]
  return formula.kind === 'separable' && mode !== 'normal' ? [{ name: constantName(mode), ...formula }] : []
})

const formulaOf = ({ name, formula }: (typeof separableModes)[number]): string => {
  const source = new VectorSource()
  const result = formula(source, 'b', 's')
  return `if (mode == ${name}) { ${source.lines} return ${result}; }`
}

const fillOf = ({ name, fill }: (typeof separableModes)[number]): readonly string[] => {
  if (fill === null || fill === 'ramp') return []
  const source = new VectorSource()
  const result = filledSources[fill](source, 's', 'f32x4.splat(fill)')
  return [`if (mode == ${name}) { ${source.lines} return ${result}; }`]
}

const bodyOf = (lines: readonly string[]) => ({ parameter: undefined, body: lines.map(line => `  ${line}\n`).join('') })

const [formulas, filled] = [separableModes.map(formulaOf), separableModes.flatMap(fillOf)]

const numberOf = ([value, name]: readonly [number, string]): string =>
  `const ${name} = memory.data<f32>([${Array.from({ length: 4 }, () => value).join(', ')}]);`

/** By name, as `expandMacros` takes them. */
export const blendMacros = new Map([
  ['$modeNumbers', bodyOf(blendModeNames.map((mode, index) => `export const ${constantName(mode)}: i32 = ${index};`))],
  ['$separableFormulas', bodyOf(formulas)],
  ['$filledSources', bodyOf(filled)],
  ['$numbers', bodyOf([...loaded].map(numberOf))],
  [
    '$separableCases',
    bodyOf(
      separableModes.map(
        ({ name, fill }) =>
          `case modes.${name}: blendPlanes(modes.${name}, ${fill === null ? '1' : 'fill'}, back, length); break;`,
      ),
    ),
  ],
])
