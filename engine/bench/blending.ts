import type { BlendMode } from '../src/blending/blend-modes.ts'
import { copyPixels } from '../src/drawing/copy-pixels.ts'
import { drawPicture } from '../src/drawing/draw-picture.ts'
import { areaOf } from '../src/geometry/rect.ts'
import { composeMockup } from '../src/index.ts'
import type { PictureOperation } from '../src/operations/operation.ts'
import { assembleDrawing } from '../src/template/compile-drawing.ts'
import type { PreparedTemplate } from '../src/template/prepare-template.ts'
import { buildHalfClearOverlay, findScene, inMode } from './half-clear-overlay.ts'
import { measureInTurn, type Task } from './measure.ts'
import { kernel, type Subject } from './mockups.ts'

/** CPU milliseconds of composing the same frame with a blending mode or an overlay. */
export type BlendingCost = { readonly name: string; readonly composeMs: number }

/** One mode of each kind that the renderer treats differently. */
const modes: readonly (readonly [BlendMode, string])[] = [
  ['normal', 'by formula'],
  ['multiply', 'by formula'],
  ['soft-light', 'by table'],
  ['hue', 'three channels'],
  ['luminosity', 'three channels'],
  ['darker-color', 'three channels'],
]

const overlayModes: readonly BlendMode[] = ['normal', 'screen', 'luminosity']

/** The template with a picture over its frames. */
function withOverlay(prepared: PreparedTemplate, overlay: PictureOperation): PreparedTemplate {
  const [touched, empty] = [
    findScene(prepared).region,
    { ...prepared.empty, data: new Uint8Array(prepared.empty.data) },
  ]
  const under = {
    ...touched,
    pixels: { ...touched, alpha: 'opaque' as const, data: new Uint8Array(areaOf(touched) * 3) },
  }
  const whole = { left: 0, top: 0, pixels: empty }
  copyPixels(whole, under, touched)
  drawPicture(whole, overlay, touched)
  const operations = [...prepared.drawing.operations.slice(1), overlay]
  return { ...prepared, empty, drawing: assembleDrawing('bytes', touched, under, prepared.frames, operations) }
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
  for (const [blendMode, how] of modes) add(`${blendMode} (${how})`, inMode(prepared, blendMode))
  for (const mode of overlayModes) {
    add(
      `multiply under an overlay, ${mode}`,
      withOverlay(prepared, buildHalfClearOverlay(findScene(prepared).region, mode)),
    )
  }
  const costs = await measureInTurn(tasks, rounds)
  return [...costs].map(([name, composeMs]) => ({ name, composeMs }))
}
