import type { BlendMode } from '../src/blending/blend-modes.ts'
import { drawOverlay } from '../src/drawing/draw-overlay.ts'
import { composeMockup } from '../src/index.ts'
import type { PreparedOverlay } from '../src/template/prepare-overlay.ts'
import type { PreparedTemplate } from '../src/template/prepare-template.ts'
import { buildHalfClearOverlay } from './half-clear-overlay.ts'
import { measureInTurn, type Task } from './measure.ts'
import { kernel, type Subject } from './mockups.ts'

/** CPU milliseconds of composing the same frame with a blending mode or an overlay. */
export type BlendingCost = { readonly name: string; readonly composeMs: number }

/** One mode of each kind that the renderer treats differently. */
const modes: readonly (readonly [BlendMode, string])[] = [
  ['normal', 'by formula in the kernel'],
  ['multiply', 'by formula in the kernel'],
  ['soft-light', 'by table in the kernel'],
  ['hue', 'channels not separate: by formula in the kernel'],
  ['luminosity', 'channels not separate: by formula in the kernel'],
  ['darker-color', 'channels not separate: by formula in the kernel'],
]

const overlayModes: readonly BlendMode[] = ['normal', 'screen', 'luminosity']

/** The scene under the frames, as it is prepared where overlays cover them. */
function withOverlay(prepared: PreparedTemplate, overlay: PreparedOverlay): PreparedTemplate {
  const { left, top, widthPx, heightPx } = prepared.touched
  const under = new Uint8Array(widthPx * heightPx * 3)
  for (let y = 0; y < heightPx; y++) {
    const from = ((top + y) * prepared.widthPx + left) * 3
    under.set(prepared.empty.data.subarray(from, from + widthPx * 3), y * widthPx * 3)
  }
  const empty = { ...prepared.empty, data: new Uint8Array(prepared.empty.data) }
  drawOverlay(empty, overlay)
  return {
    ...prepared,
    empty,
    overlays: [overlay],
    sceneUnderFrames: { alpha: 'opaque', widthPx, heightPx, data: under },
  }
}

/** Composes one frame with each kind of blending mode, and with an overlay over the whole of it. */
export async function measureBlending(subject: Subject, rounds: number): Promise<readonly BlendingCost[]> {
  const { prepared, decoded } = subject
  const tasks = new Map<string, Task>()
  const add = (name: string, changed: PreparedTemplate): void => {
    const reused = composeMockup(changed, decoded, kernel)
    tasks.set(name, () => {
      composeMockup(changed, decoded, kernel, reused)
      return undefined
    })
  }
  for (const [blendMode, how] of modes) add(`${blendMode} (${how})`, { ...prepared, blendMode })
  for (const mode of overlayModes) {
    add(
      `multiply, and an overlay over the whole frame with ${mode} (in the kernel)`,
      withOverlay(prepared, buildHalfClearOverlay(prepared, mode)),
    )
  }
  const costs = await measureInTurn(tasks, rounds)
  return [...costs].map(([name, composeMs]) => ({ name, composeMs }))
}
