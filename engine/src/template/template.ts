import { blendModeNames } from '../blending/blend-modes.ts'
import { GREATEST_WIDTH_PX, LEAST_MAX_WIDTH_PX } from '../drawing/width-limits.ts'
import { findQuadFault, type Quad, type QuadFault } from '../geometry/quad.ts'
import { type RgbColor, readHexColor } from '../hex-color.ts'
import { toneNames } from '../lighting/tones.ts'
import {
  LEAST_DIVIDED_CHANNEL,
  MAX_ASPECT_RATIO,
  MAX_CATEGORY_LENGTH,
  MAX_COLORS,
  MAX_FRAMES,
  MAX_LIGHT_SCALE,
  MAX_NAME_LENGTH,
  MAX_OVERLAYS,
  MAX_SUGGESTION_NAME_LENGTH,
  MAX_SUGGESTIONS,
  MAX_SURFACE_TYPE_LENGTH,
  MIN_LIGHT_SCALE,
} from './bundle-limits.ts'
import { hexColor, hexForm, surfaceColor } from './color-fields.ts'
import { effects } from './effect-fields.ts'
import { choice, constant, Field, flag, list, number, object, type Parsed, pattern, text } from './field.ts'
import { checkFilters, filterFields } from './filter-fields.ts'
import type { JsonNode } from './json-node.ts'
import { file, jsonFile, type LayerReference, layer, numbersOf, region } from './layer-fields.ts'
import { lightFields } from './light-terms.ts'
import { areaName, blendMode, fill, opacity, operations } from './stack-fields.ts'
import { checkOrder, findArea, stackedAreas } from './stack-rules.ts'

// template.json, format 1: each field's type, default, rules and schema. Coordinates are scene pixels.

export type { LayerReference } from './layer-fields.ts'

const quadExpectations: { readonly [K in QuadFault]: string } = {
  'not-finite': 'finite coordinates',
  degenerate: 'four corners that span an area, no three of them in a line',
  'not-convex': 'corners in the order top left, top right, bottom right, bottom left, with no crossing or inward edges',
  mirrored: 'corners in the order top left, top right, bottom right, bottom left (this order mirrors the artwork)',
}

export const corners = new Field<Quad>(
  {
    type: 'array',
    items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    minItems: 4,
    maxItems: 4,
    description: 'Top left, top right, bottom right, bottom left of the artwork; convex.',
  },
  readCorners,
)

function readCorners(node: JsonNode): Quad | undefined {
  const points = node.items()
  if (points.length !== 4) {
    return node.fault('four corners [x, y]: top left, top right, bottom right, bottom left')
  }
  const [topLeft, topRight, bottomRight, bottomLeft] = points.map(point => {
    const [x, y] = numbersOf(point.value, 2)
    return x === undefined || y === undefined ? point.fault('two numbers [x, y]') : ([x, y] as const)
  })
  if (!topLeft || !topRight || !bottomRight || !bottomLeft) return undefined
  const quad: Quad = [topLeft, topRight, bottomRight, bottomLeft]
  node.log.quads.push({ field: node.path, corners: quad })
  const fault = findQuadFault(quad)
  if (fault === 'mirrored') node.warn(quadExpectations.mirrored)
  else if (fault !== null) return node.fault(quadExpectations[fault])
  return quad
}

/** The two fields that place a frame's artwork; each frame has the one named by `render_mode`. */
const placements = {
  corners,
  uvmap: layer('uvmap').describe('16-bit RGB PNG: red = u, green = v, 0..65535 = 0..1; alpha, if any, is coverage.'),
}

/** How light falls on a frame or a colour area. */
const lighting = object({
  ...lightFields,
  scale: number(MIN_LIGHT_SCALE, MAX_LIGHT_SCALE).default(1).describe('Multiplies both, in linear light.'),
})

export const suggestions = list(
  0,
  MAX_SUGGESTIONS,
  object({
    name: text(MAX_SUGGESTION_NAME_LENGTH),
    value: hexColor.map(hex => hex.toLowerCase()),
  }),
)
  .default([])
  .describe('Colours with familiar names, for swatches.')

/** A part of the product whose colour a request may choose. */
const colorArea = object(
  {
    name: areaName.describe('How requests name the area, such as "shirt".'),
    default: hexColor.describe('The colour that the area has in the scene.').map(hex => hex.toLowerCase()),
    mask: layer('mask')
      .optional()
      .describe('8-bit grey: how much of each pixel of the scene shows the area. Absent where the stack draws it.'),
    lighting: lighting.optional(),
    dark: object({
      color: hexColor.describe('A colour darker than the default in each channel.').map(readHexColor),
      lighting: lighting.describe('The light that falls on the area while it has that colour.'),
    })
      .optional()
      .describe('The light on the area in a dark colour; that of other colours lies between it and `lighting`.'),
    blendMode: choice(blendModeNames)
      .default('multiply')
      .named('blending_mode')
      .describe(
        'How the colour is blended with the scene without lighting; with "multiply" the default colour is divided out first.',
      ),
    suggestions,
  },
  (node, { default: color, dark, blendMode }) => {
    if (node.child('mask').isAbsent) return checkStackedArea(node)
    if (!node.child('dark').isAbsent && node.child('lighting').isAbsent) {
      return node.child('dark').fault('none in an area without lighting')
    }
    if (color !== undefined && dark && !isDarker(dark.color, readHexColor(color))) {
      node.child('dark').child('color').fault('a colour darker than the default in each channel')
    }
    if (!node.child('lighting').isAbsent) {
      if (!node.child('blending_mode').isAbsent)
        node.child('blending_mode').warn('none beside lighting, with which it is not used,')
      return
    }
    if (color === undefined || blendMode !== 'multiply') return
    const { red, green, blue } = readHexColor(color)
    if (Math.min(red, green, blue) >= LEAST_DIVIDED_CHANNEL) return
    const least = LEAST_DIVIDED_CHANNEL.toString(16)
    node.child('default').fault(`a colour of at least "#${least}${least}${least}" in each channel without lighting`)
  },
)

function isDarker(one: RgbColor, other: RgbColor): boolean {
  return one.red < other.red && one.green < other.green && one.blue < other.blue
}

/** An area without a mask is drawn by operations of the stack. */
function checkStackedArea(area: JsonNode): void {
  const name = area.child('name').value
  const lists = [
    area.root.child('stack'),
    ...area.root
      .child('frames')
      .items()
      .map(frame => frame.child('inner')),
  ]
  if (!lists.some(list => stackedAreas(list).has(name))) {
    area.child('mask').fault('a mask, or an operation of the stack that draws this area')
  }
  for (const unused of ['lighting', 'dark', 'blending_mode']) {
    if (!area.child(unused).isAbsent) area.child(unused).fault('none in an area that the stack draws')
  }
}

function checkAreaNames(node: JsonNode): void {
  const seen = new Set<unknown>()
  for (const area of node.child('colors').items()) {
    const name = area.child('name')
    if (seen.has(name.value)) name.fault('another name for each area')
    seen.add(name.value)
  }
}

const frame = object(
  {
    aspectRatio: number(1 / MAX_ASPECT_RATIO, MAX_ASPECT_RATIO).describe(
      'Width / height of the artwork that fills the frame.',
    ),
    corners: placements.corners.optional(),
    uvmap: placements.uvmap.optional(),
    mask: layer('mask').optional().describe('8-bit grey: how much of the frame is seen.'),
    opacity,
    slot: areaName
      .optional()
      .describe('Frames of one slot show one artwork, which a request may give by the name of the slot.'),
    blendMode: choice(blendModeNames)
      .optional()
      .named('blending_mode')
      .describe("How its artwork is blended with the scene; absent: by the template's `blending_mode`."),
    fill,
    inner: operations
      .default([])
      .describe('Drawn on the artwork, within its shape, before it is blended with the scene.'),
    effects,
    ...filterFields,
    surface: areaName
      .optional()
      .describe("The colour area that a lit frame lies on: transparent artwork shows that area's colour."),
    surfaceColor: surfaceColor.describe(
      'What transparent parts of the artwork show in a lit frame; with `surface`, where the area has its default.',
    ),
    lighting: lighting.optional(),
    darkLighting: lighting
      .optional()
      .describe('The light that falls on the frame while the area of `surface` has the colour of its `dark`.'),
  },
  checkFrame,
).map(({ corners, uvmap, ...frame }, node) => {
  const placement: FramePlacement | null =
    corners !== null ? { kind: 'corners', corners } : uvmap && { kind: 'uvmap', uvmap }
  // If there is neither, checkFrame has logged it.
  if (!placement) return undefined
  const surfaceColor = node.child('surface_color').isAbsent ? defaultOfArea(node, frame.surface) : null
  return { ...frame, placement, surfaceColor: surfaceColor ?? frame.surfaceColor }
})

/** The default colour of a frame's area, or null. An invalid colour is logged by its own field. */
function defaultOfArea(frame: JsonNode, surface: string | null): RgbColor | null {
  if (surface === null) return null
  const value = findArea(frame, surface)?.child('default').value
  return typeof value === 'string' && hexForm.test(value) ? readHexColor(value) : null
}

/** The placement of a frame: four corners in scene pixels, or a map of artwork coordinates. */
export type FramePlacement =
  | { readonly kind: 'corners'; readonly corners: Quad }
  | { readonly kind: 'uvmap'; readonly uvmap: LayerReference }

function checkFrame(node: JsonNode): void {
  const mode = node.root.child('render_mode').value
  const [hasCorners, hasMap] = [!node.child('corners').isAbsent, !node.child('uvmap').isAbsent]
  if (mode === 'corners' || mode === 'uvmap') {
    // Reading an absent value logs what was expected.
    if (!hasCorners && !hasMap) placements[mode].read(node.child(mode))
    if (mode === 'corners' && hasMap) node.child('uvmap').fault('no uvmap in a template whose render_mode is "corners"')
    if (mode === 'uvmap' && hasCorners && hasMap) node.child('corners').fault('corners or a uvmap, not both')
  }
  if (!node.child('lighting').isAbsent) {
    const mode = node.child('blending_mode')
    if (!mode.isAbsent && mode.value !== 'normal') mode.fault('"normal", because the frame has lighting,')
  }
  if (!node.child('lighting').isAbsent && node.child('effects').items().length > 0) {
    node.child('effects').fault('none in a frame with lighting')
  }
  checkFilters(node)
  for (const name of ['surface_color', 'surface']) {
    if (node.child('lighting').isAbsent && !node.child(name).isAbsent) {
      node.child(name).warn('lighting beside it, without which it is not used,', 'none')
    }
  }
  const surface = node.child('surface')
  const area = findArea(node, surface.value)
  if (!surface.isAbsent && !area) surface.fault('the name of one of the colors')
  const darkLighting = node.child('dark_lighting')
  if (darkLighting.isAbsent) return
  if (node.child('lighting').isAbsent) darkLighting.fault('none in a frame without lighting')
  else if (!area || area.child('dark').isAbsent) darkLighting.fault('none without a surface that has dark')
}

const overlay = object({
  image: layer('overlay'),
  region: region.optional(),
  blendMode,
  opacity,
}).map(({ image, region, ...overlay }, node) => {
  // The region may be a field of the overlay or of its image.
  if (region === null) return { ...overlay, layer: image }
  const layer =
    image.region === null ? { ...image, region } : node.child('image').fault('the name of a file in the bundle')
  return layer && { ...overlay, layer }
})

export const templateField = object(
  {
    format: constant(1),
    id: pattern(/^[a-z0-9-]{2,64}$/, '2 to 64 characters of a-z, 0-9 and -').describe(
      'Never changes; importing the same id again replaces the template.',
    ),
    name: text(MAX_NAME_LENGTH).describe('What people see in lists.'),
    category: text(MAX_CATEGORY_LENGTH).describe('For filtering, such as "Wall Art".'),
    type: choice(['print', 'product']).describe('print, or product for apparel, mugs and other 3D products'),
    surfaceType: text(MAX_SURFACE_TYPE_LENGTH)
      .nullable()
      .default(null)
      .describe('Material hint of a product, such as fabric or ceramic; null for prints.'),
    renderMode: choice(['corners', 'uvmap']).describe('corners: all frames by corners; uvmap: at least one by a map.'),
    blendMode: blendMode.describe('How artwork is blended with the scene in frames without lighting.'),
    scene: file('scene').describe('The picture itself: JPEG, PNG or WebP, sRGB.'),
    tone: choice(toneNames).default('srgb').describe('The tone curve of the scene; only with lighting.'),
    /** drawn in order; callers refer to a frame by its index */
    frames: list(1, MAX_FRAMES, frame),
    colors: list(0, MAX_COLORS, colorArea)
      .default([])
      .describe('Parts of the product whose colour a request may choose; drawn in order, before the frames.'),
    overlays: list(0, MAX_OVERLAYS, overlay).default([]).describe('Drawn over everything in order.'),
    stack: operations
      .optional()
      .describe('What is drawn over the scene, in order, the frames among it; absent: all frames. Overlays follow.'),
    maxWidth: number(LEAST_MAX_WIDTH_PX, GREATEST_WIDTH_PX)
      .optional()
      .describe('The greatest width, in pixels, at which mockups are drawn; wider ones are enlarged. Absent: any.'),
    thumbnail: file('thumbnail').optional().describe('Rendered at import where missing.'),
    drawing: jsonFile.optional().describe('What was drawn on the photo that the template is made of: drawing.json.'),
    sharesBundle: flag()
      .default(false)
      .named('share_bundle')
      .describe('Whether customers may download the whole bundle of a shared template.'),
  },
  (node, { type, surfaceType, blendMode, tone, renderMode, frames, stack }) => {
    // From the raw fields, so that a part with invalid lighting counts as lit.
    const isLit = (part: JsonNode): boolean => !part.child('lighting').isAbsent
    const [framesLit, areasLit] = ['frames', 'colors'].map(name => node.child(name).items().map(isLit))
    checkAreaNames(node)
    if (frames && stack !== undefined) checkOrder(node, frames, stack)
    if (renderMode === 'uvmap' && frames?.every(frame => frame.placement.kind === 'corners')) {
      node.child('render_mode').fault('"corners", because no frame has a uvmap,')
    }
    if (framesLit?.every(Boolean) && blendMode !== undefined && blendMode !== 'normal') {
      node.child('blending_mode').fault('"normal", because every frame has lighting,')
    }
    if (![framesLit, areasLit].flat().includes(true) && tone !== undefined && tone !== 'srgb') {
      node.child('tone').fault('"srgb", because no frame has lighting,')
    }
    if (type === 'print' && typeof surfaceType === 'string') {
      node.child('surface_type').warn('null, because a print has no material,')
    }
  },
)

/** With all defaults applied. */
export type Template = Parsed<typeof templateField>
export type Frame = Template['frames'][number]
export type Overlay = Template['overlays'][number]
export type Lighting = NonNullable<Frame['lighting']>
export type ColorArea = Template['colors'][number]
