import { blendModeNames } from '../blending/blend-modes.ts'
import type { Quad } from '../geometry/quad.ts'
import { findQuadFault, type QuadFault } from '../geometry/quad.ts'
import { toneNames } from '../lighting/tones.ts'
import { BundleError } from './bundle-error.ts'
import {
  MAX_ASPECT_RATIO,
  MAX_CATEGORY_LENGTH,
  MAX_FRAMES,
  MAX_LIGHT_SCALE,
  MAX_NAME_LENGTH,
  MAX_OVERLAYS,
  MAX_SURFACE_TYPE_LENGTH,
  MIN_LIGHT_SCALE,
} from './bundle-limits.ts'
import { describeValue } from './fault-collector.ts'
import { DESCRIPTION_FILE, FieldReader, isFiniteNumber } from './field-reader.ts'
import { ParseLog } from './parse-log.ts'
import type { Frame, FrameLighting, FramePlacement, Overlay, SurfaceColor, Template } from './template.ts'

type RenderMode = Template['renderMode']

const RENDER_MODES: readonly RenderMode[] = ['corners', 'uvmap']
const TYPES: readonly Template['type'][] = ['print', 'product']

const QUAD_EXPECTATIONS: { readonly [K in QuadFault]: string } = {
  'not-finite': 'finite coordinates',
  degenerate: 'four corners that span an area, no three of them in a line',
  'not-convex': 'corners in the order top left, top right, bottom right, bottom left, with no crossing or inward edges',
  mirrored: 'corners in the order top left, top right, bottom right, bottom left (this order mirrors the artwork)',
}

/**
 * A template.json that was already parsed as JSON, with defaults applied and names in our case.
 * Throws BundleError with every fault that the description has by itself; files are `checkBundle`'s to check. Warnings do not throw.
 */
export function parseTemplate(json: unknown): Template {
  const log = new ParseLog()
  const template = readTemplate(json, log)
  if (template === null) throw new BundleError(log.faults.faults)
  return template
}

/** The same without throwing: null where the log has an error. */
export function readTemplate(json: unknown, log: ParseLog): Template | null {
  const fields = FieldReader.open(json, '', log)
  const template = fields === null ? null : readFields(fields, log)
  return log.faults.hasErrors ? null : template
}

function readFields(fields: FieldReader, log: ParseLog): Template | null {
  if (fields.value('format') !== 1) fields.fault('format', 'the number 1')
  const id = readId(fields)
  const name = fields.text('name', MAX_NAME_LENGTH)
  const category = fields.text('category', MAX_CATEGORY_LENGTH)
  const type = fields.choice('type', TYPES, null)
  const surfaceType = isAbsentOrNull(fields, 'surface_type')
    ? null
    : fields.text('surface_type', MAX_SURFACE_TYPE_LENGTH)
  const renderMode = fields.choice('render_mode', RENDER_MODES, null)
  const blendMode = fields.choice('blending_mode', blendModeNames, 'normal')
  const scene = fields.file('scene', 'scene')
  const tone = fields.choice('tone', toneNames, 'srgb')
  const frames = fields.list('frames', 1, MAX_FRAMES, (value, path) => readFrame(value, path, renderMode, log))
  const overlays = fields.list('overlays', 0, MAX_OVERLAYS, (value, path) => readOverlay(value, path, log))
  const thumbnail = fields.value('thumbnail') === undefined ? null : fields.file('thumbnail', 'thumbnail')
  fields.refuseUnknownFields()

  const isLit = hasLighting(fields.value('frames'))
  if (isLit && blendMode !== null && blendMode !== 'normal') {
    fields.fault('blending_mode', '"normal", because a frame has lighting,')
  }
  if (!isLit && tone !== null && tone !== 'srgb') fields.fault('tone', '"srgb", because no frame has lighting,')
  if (type === 'print' && surfaceType !== null) {
    log.faults.warn(
      DESCRIPTION_FILE,
      'surface_type',
      'null, because a print has no material,',
      describeValue(surfaceType),
    )
  }
  if (
    id === null ||
    name === null ||
    category === null ||
    type === null ||
    renderMode === null ||
    blendMode === null ||
    scene === null ||
    tone === null ||
    frames === null ||
    overlays === null
  ) {
    return null
  }
  return { id, name, category, type, surfaceType, renderMode, blendMode, scene, tone, frames, overlays, thumbnail }
}

function readId(fields: FieldReader): string | null {
  const value = fields.value('id')
  return typeof value === 'string' && /^[a-z0-9-]{2,64}$/.test(value)
    ? value
    : fields.fault('id', '2 to 64 characters of a-z, 0-9 and -')
}

function readFrame(value: unknown, path: string, renderMode: RenderMode | null, log: ParseLog): Frame | null {
  const fields = FieldReader.open(value, path, log)
  if (fields === null) return null
  const aspectRatio = fields.number('aspect_ratio', 1 / MAX_ASPECT_RATIO, MAX_ASPECT_RATIO, null)
  const placement = readPlacement(fields, renderMode, log)
  const mask = fields.value('mask') === undefined ? null : fields.layer('mask', 'mask')
  const opacity = fields.number('opacity', 0, 1, 1)
  const surfaceColor = readColor(fields)
  const lighting = fields.value('lighting') === undefined ? null : readLighting(fields, log)
  fields.refuseUnknownFields()
  if (fields.value('lighting') === undefined && fields.value('surface_color') !== undefined) {
    log.faults.warn(
      DESCRIPTION_FILE,
      fields.pathOf('surface_color'),
      'lighting beside it, without which it is not used,',
      'none',
    )
  }
  if (aspectRatio === null || placement === null || opacity === null || surfaceColor === null) return null
  return { aspectRatio, placement, mask, opacity, surfaceColor, lighting }
}

function readPlacement(fields: FieldReader, renderMode: RenderMode | null, log: ParseLog): FramePlacement | null {
  const hasCorners = fields.value('corners') !== undefined
  const hasMap = fields.value('uvmap') !== undefined
  if (renderMode === 'corners' && hasMap) fields.fault('uvmap', 'no uvmap in a template whose render_mode is "corners"')
  if (renderMode === 'uvmap' && hasCorners)
    fields.fault('corners', 'no corners in a template whose render_mode is "uvmap"')
  const kind = renderMode ?? (hasMap ? 'uvmap' : 'corners')
  if (kind === 'uvmap') {
    const uvmap = fields.layer('uvmap', 'uvmap')
    return uvmap === null ? null : { kind, uvmap }
  }
  const corners = readCorners(fields, log)
  return corners === null ? null : { kind, corners }
}

function readCorners(fields: FieldReader, log: ParseLog): Quad | null {
  const value = fields.value('corners')
  if (!Array.isArray(value) || value.length !== 4) {
    return fields.fault('corners', 'four corners [x, y]: top left, top right, bottom right, bottom left')
  }
  const points: (readonly [number, number])[] = []
  for (const [index, point] of value.entries()) {
    const [x, y]: readonly unknown[] = Array.isArray(point) && point.length === 2 ? point : []
    if (isFiniteNumber(x) && isFiniteNumber(y)) points.push([x, y])
    else
      log.faults.add(
        DESCRIPTION_FILE,
        `${fields.pathOf('corners')}[${index}]`,
        'two numbers [x, y]',
        describeValue(point),
      )
  }
  const [topLeft, topRight, bottomRight, bottomLeft] = points
  if (topLeft === undefined || topRight === undefined || bottomRight === undefined || bottomLeft === undefined)
    return null
  const quad: Quad = [topLeft, topRight, bottomRight, bottomLeft]
  log.quads.push({ field: fields.pathOf('corners'), corners: quad })
  const fault = findQuadFault(quad)
  if (fault === 'mirrored') {
    log.faults.warn(DESCRIPTION_FILE, fields.pathOf('corners'), QUAD_EXPECTATIONS.mirrored, describeValue(value))
    return quad
  }
  return fault === null ? quad : fields.fault('corners', QUAD_EXPECTATIONS[fault])
}

function readLighting(fields: FieldReader, log: ParseLog): FrameLighting | null {
  const lighting = FieldReader.open(fields.value('lighting'), fields.pathOf('lighting'), log)
  if (lighting === null) return null
  const shade = lighting.layer('shade', 'light')
  const highlights = lighting.value('highlights') === undefined ? null : lighting.layer('highlights', 'light')
  const scale = lighting.number('scale', MIN_LIGHT_SCALE, MAX_LIGHT_SCALE, 1)
  lighting.refuseUnknownFields()
  return shade === null || scale === null ? null : { shade, highlights, scale }
}

function readColor(fields: FieldReader): SurfaceColor | null {
  const value = fields.value('surface_color') ?? '#ffffff'
  const digits = typeof value === 'string' ? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value) : null
  const [red, green, blue] = (digits ?? []).slice(1).map(pair => Number.parseInt(pair, 16))
  if (red === undefined || green === undefined || blue === undefined)
    return fields.fault('surface_color', 'a colour like "#ffffff"')
  return { red, green, blue }
}

function readOverlay(value: unknown, path: string, log: ParseLog): Overlay | null {
  const fields = FieldReader.open(value, path, log)
  if (fields === null) return null
  // An overlay is an object already, so that its region may stand beside the image as well as in it.
  const layer = fields.value('region') === undefined ? fields.layer('image', 'overlay') : fields.asLayer('overlay')
  const blendMode = fields.choice('blending_mode', blendModeNames, 'normal')
  const opacity = fields.number('opacity', 0, 1, 1)
  fields.refuseUnknownFields()
  return layer === null || blendMode === null || opacity === null ? null : { layer, blendMode, opacity }
}

function isAbsentOrNull(fields: FieldReader, name: string): boolean {
  const value = fields.value(name)
  return value === undefined || value === null
}

/** Looked up in the raw value, so that a faulty lighting still counts as one. */
function hasLighting(frames: unknown): boolean {
  return (
    Array.isArray(frames) &&
    frames.some(frame => typeof frame === 'object' && frame !== null && Object.hasOwn(frame, 'lighting'))
  )
}
