import type { BlendMode } from '../src/blending/blend-modes.ts'
import type { PreparedOverlay } from '../src/template/prepare-overlay.ts'
import type { PreparedTemplate } from '../src/template/prepare-template.ts'

/** A half-transparent overlay over everything that the frames touch. */
export function buildHalfClearOverlay({ touched }: PreparedTemplate, blendMode: BlendMode): PreparedOverlay {
  const data = new Uint8Array(touched.widthPx * touched.heightPx * 4)
  for (let i = 0; i < data.length; i += 4) data.set([(i >> 2) & 127, (i >> 4) & 127, (i >> 6) & 127, 128], i)
  return { region: touched, data, blendMode, opacity: 1 }
}
