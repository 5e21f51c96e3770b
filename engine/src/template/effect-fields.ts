import type { BlendMode } from '../blending/blend-modes.ts'
import { type RgbColor, readHexColor } from '../hex-color.ts'
import { MAX_EFFECT_OFFSET_PX, MAX_EFFECT_PX, MAX_EFFECTS } from './bundle-limits.ts'
import { hexColor } from './color-fields.ts'
import { choice, Field, flag, list, number, object } from './field.ts'
import type { JsonNode } from './json-node.ts'
import { type LayerReference, layer, numbersOf } from './layer-fields.ts'
import { blendMode, opacity } from './stack-fields.ts'

// Effects of a frame, drawn from the shape of its artwork: how each is written in template.json.

export const strokePositions = ['outside', 'center', 'inside'] as const
export type StrokePosition = (typeof strokePositions)[number]

/** A soft mask of the artwork's shape. Lengths are in scene pixels. */
type Soft = {
  readonly color: RgbColor
  readonly offset: readonly [x: number, y: number]
  readonly spread: number
  readonly blur: number
  readonly gain: number
}

export type Effect = { readonly blendMode: BlendMode; readonly opacity: number } & (
  | ({ readonly kind: 'shadow'; readonly showsThrough: boolean } & Soft)
  | ({ readonly kind: 'inner-shadow'; readonly fromCenter: boolean } & Soft)
  | { readonly kind: 'overlay'; readonly paint: { readonly color: RgbColor } | { readonly picture: LayerReference } }
  | { readonly kind: 'stroke'; readonly color: RgbColor; readonly width: number; readonly position: StrokePosition }
)

const color = hexColor.map(readHexColor)

const offset = new Field<readonly [number, number]>(
  {
    type: 'array',
    items: { type: 'number', minimum: -MAX_EFFECT_OFFSET_PX, maximum: MAX_EFFECT_OFFSET_PX },
    minItems: 2,
    maxItems: 2,
    description: '[x, y] in scene pixels.',
  },
  node => {
    const [x, y] = numbersOf(node.value, 2)
    const isNear = (value: number | undefined): boolean => Math.abs(value ?? Infinity) <= MAX_EFFECT_OFFSET_PX
    if (x !== undefined && y !== undefined && isNear(x) && isNear(y)) return [x, y]
    return node.fault(`two numbers [x, y] from -${MAX_EFFECT_OFFSET_PX} to ${MAX_EFFECT_OFFSET_PX}`)
  },
)

const length = number(0, MAX_EFFECT_PX)

const softFields = {
  color,
  offset: offset.default([0, 0]),
  spread: length.default(0).describe('Scene pixels that the shape grows by before it is blurred.'),
  blur: length.default(0).describe('Scene pixels that the blur reaches.'),
  gain: number(1, 100).default(1).describe('Multiplies the blurred shape; glows of Photoshop have 2.'),
}

const shadow = object({
  shadow: object({
    ...softFields,
    showsThrough: flag().default(false).describe('Whether it shows through transparent and translucent artwork.'),
  }),
  blendMode,
  opacity,
}).map(({ shadow, ...compositing }): Effect => ({ kind: 'shadow', ...shadow, ...compositing }))

const innerShadow = object({
  innerShadow: object({
    ...softFields,
    fromCenter: flag().default(false).describe('Whether it lies in the middle, and not along the edge.'),
  }),
  blendMode,
  opacity,
}).map(({ innerShadow, ...compositing }): Effect => ({ kind: 'inner-shadow', ...innerShadow, ...compositing }))

const paint = object({ color: color.optional(), picture: layer('overlay').optional() }).map(
  ({ color, picture }, node): Extract<Effect, { kind: 'overlay' }>['paint'] | undefined => {
    if (color !== null && picture === null) return { color }
    if (color === null && picture !== null) return { picture }
    return node.fault('exactly one of color and picture')
  },
)

const overlay = object({
  overlay: new Field({ ...paint.schema, minProperties: 1, maxProperties: 1 }, paint.read),
  blendMode,
  opacity,
}).map(({ overlay: paint, ...compositing }): Effect => ({ kind: 'overlay', paint, ...compositing }))

const stroke = object({
  stroke: object({ color, width: length, position: choice(strokePositions).default('outside') }),
  blendMode,
  opacity,
}).map(({ stroke, ...compositing }): Effect => ({ kind: 'stroke', ...stroke, ...compositing }))

/** Each kind of effect, by the field that identifies it. */
const kinds: Readonly<Record<string, Field<Effect>>> = { shadow, inner_shadow: innerShadow, overlay, stroke }

export const effects: Field<readonly Effect[]> = list(
  0,
  MAX_EFFECTS,
  new Field<Effect>({ oneOf: Object.values(kinds).map(kind => kind.schema) }, readEffect),
)
  .default([])
  .describe('Drawn from the shape of the artwork: shadows under it, overlays and inner shadows on it, strokes over it.')

function readEffect(node: JsonNode): Effect | undefined {
  const { names } = node
  if (names === null) return node.fault('an object')
  const found = Object.entries(kinds).filter(([name]) => names.includes(name))
  const kind = found[0]?.[1]
  if (kind === undefined || found.length > 1) return node.fault(`exactly one of ${Object.keys(kinds).join(', ')}`)
  return kind.read(node)
}

/** How far an effect extends beyond the artwork, in scene pixels. */
function reachOfEffect(effect: Effect): number {
  if (effect.kind === 'shadow') return Math.max(...effect.offset.map(Math.abs)) + effect.spread + effect.blur
  return effect.kind === 'stroke' && effect.position !== 'inside' ? effect.width : 0
}

/** How far effects extend beyond the artwork, in scene pixels. */
export function reachOfEffects(effects: readonly Effect[]): number {
  return Math.max(0, ...effects.map(reachOfEffect))
}

/** The pictures of effects. */
export function picturesOf(effects: readonly Effect[]): readonly LayerReference[] {
  return effects.flatMap(effect =>
    effect.kind === 'overlay' && 'picture' in effect.paint ? [effect.paint.picture] : [],
  )
}
