import type { StraightPixmap } from '../../src/pixmap.ts'
import { noFilters } from '../../src/template/filter-fields.ts'
import type { ColorArea, Frame, Template } from '../../src/template/template.ts'

/** A template around frames, everything else at its default. */
export function buildTemplate(frames: readonly Frame[], changes: Partial<Template> = {}): Template {
  return {
    format: 1,
    id: 'test',
    name: 'Test',
    category: 'Test',
    type: 'print',
    surfaceType: null,
    renderMode: frames[0]?.placement.kind ?? 'corners',
    blendMode: 'normal',
    scene: 'scene',
    tone: 'srgb',
    frames,
    colors: [],
    overlays: [],
    stack: null,
    maxWidth: null,
    thumbnail: null,
    drawing: null,
    sharesBundle: false,
    ...changes,
  }
}

/** A frame with a placement, everything else at its default. */
export function buildFrame(aspectRatio: number, placement: Frame['placement'], changes: Partial<Frame> = {}): Frame {
  return {
    aspectRatio,
    placement,
    mask: null,
    opacity: 1,
    slot: null,
    blendMode: null,
    fill: 1,
    inner: [],
    effects: [],
    ...noFilters,
    surface: null,
    surfaceColor: { red: 255, green: 255, blue: 255 },
    lighting: null,
    darkLighting: null,
    ...changes,
  }
}

/** A colour area of the whole scene, by a file `mask`, everything else at its default. */
export function buildArea(name: string, changes: Partial<ColorArea> = {}): ColorArea {
  return {
    name,
    default: WHITE,
    mask: { image: 'mask', region: null },
    lighting: null,
    dark: null,
    blendMode: 'multiply',
    suggestions: [],
    ...changes,
  }
}

const WHITE = '#ffffff'

/** A picture from a colour per pixel. */
export function buildPicture(
  widthPx: number,
  heightPx: number,
  color: (x: number, y: number) => readonly [number, number, number, number],
): StraightPixmap {
  const data = new Uint8Array(widthPx * heightPx * 4)
  for (let y = 0, i = 0; y < heightPx; y++) for (let x = 0; x < widthPx; x++, i += 4) data.set(color(x, y), i)
  return { alpha: 'straight', widthPx, heightPx, data }
}
