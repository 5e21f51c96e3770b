import { TABLE_MODE } from '../../kernels/assembly/frame/layout.ts'
import { type BlendMode, blendModeNames, blendModes, type SeparableFormula } from '../blending/blend-modes.ts'

/** How the kernel blends a mode: by the number of its formula, or by the table of `tableOf`. */
export type KernelBlending =
  | { readonly mode: number; readonly tableOf: null }
  | { readonly mode: typeof TABLE_MODE; readonly tableOf: SeparableFormula }

/** The name of a mode in kernels: COLOR_DODGE for `color-dodge`. */
export const constantName = (mode: BlendMode): string => mode.toUpperCase().replaceAll('-', '_')

/**
 * How the kernel blends each mode. `constantOf` reads a constant that the kernel exports: MODE_HUE for `hue`.
 * @throws if a non-separable mode, for which there is no table, has no formula in the kernel
 */
export function findBlendings(
  constantOf: (name: string) => number | undefined,
): ReadonlyMap<BlendMode, KernelBlending> {
  return new Map(
    blendModeNames.map((name): [BlendMode, KernelBlending] => {
      const mode = constantOf(`MODE_${constantName(name)}`)
      if (mode !== undefined) return [name, { mode, tableOf: null }]
      const formula = blendModes[name]
      if (formula.kind !== 'separable') throw new Error(`The kernel has no formula for the blending mode ${name}`)
      return [name, { mode: TABLE_MODE, tableOf: formula.blend }]
    }),
  )
}
