import { type BlendMode, blendModeNames } from '../blending/blend-modes.ts'
import type { ColorRanges } from '../operations/color-ranges.ts'
import { MAX_FRAMES, MAX_OPERATION_DEPTH, MAX_OPERATIONS } from './bundle-limits.ts'
import { choice, Field, list, number, object, pattern } from './field.ts'
import type { JsonNode } from './json-node.ts'
import { file, type LayerReference, layer, region } from './layer-fields.ts'
import type { LayerUse } from './parse-log.ts'
import { partNameForm } from './part-name.ts'
import { colorRanges } from './range-fields.ts'

// The operations of a template's stack and of a frame's `inner` list: how each is written in template.json.

/** How a drawn picture is blended with its backdrop, in sRGB-encoded values. */
type Compositing = {
  readonly blendMode: BlendMode
  /** 0..1 */
  readonly opacity: number
}

/** 8-bit grey: how much of each pixel an operation changes. Null: all of it. */
type Masked = { readonly mask: LayerReference | null }

/** Ranges of colours. Null: all of them. */
type Ranged = { readonly where: ColorRanges | null }

/** How an adjustment changes a colour. */
export type Adjustment =
  | { readonly kind: 'tables' | 'cube'; readonly image: string }
  | { readonly kind: 'threshold'; readonly level: number }

/** One drawing operation. A list is drawn in order, each operation over the result so far. */
export type Operation =
  | ({ readonly kind: 'picture'; readonly layer: LayerReference; readonly fill: number } & Compositing)
  | { readonly kind: 'frame'; readonly index: number }
  | { readonly kind: 'affine'; readonly multiply: LayerReference; readonly add: LayerReference }
  | ({ readonly kind: 'adjust'; readonly adjustment: Adjustment } & Compositing & Masked)
  | ({ readonly kind: 'color'; readonly area: string } & Compositing & Masked)
  | ({
      readonly kind: 'group'
      readonly operations: readonly Operation[]
      readonly clip: readonly Operation[]
      readonly fill: number
    } & Compositing &
      Masked &
      Ranged)
  | ({ readonly kind: 'mix'; readonly operations: readonly Operation[]; readonly opacity: number } & Masked & Ranged)

export const areaName = pattern(partNameForm, '1 to 32 characters of a-z, 0-9 and -, the first a letter')
export const opacity = number(0, 1).default(1)
export const fill = number(0, 1)
  .default(1)
  .describe("As opacity, but in eight modes it moves the source towards the mode's neutral colour instead.")
export const blendMode = choice(blendModeNames).default('normal').named('blending_mode')

const mask = layer('mask').optional().describe('8-bit grey: how much of each pixel is changed.')

/** The schema name of an operation, which contains itself. */
export const OPERATION_SCHEMA = 'operation'

/** A list of operations, drawn in order. */
export const operations: Field<readonly Operation[]> = list(
  0,
  MAX_OPERATIONS,
  new Field<Operation>({ $ref: `#/$defs/${OPERATION_SCHEMA}` }, readOperation),
)

/** Layers of an operation may use its region in place of their own. */
function placedIn(node: JsonNode, layer: LayerReference, region: LayerReference['region']): LayerReference | undefined {
  if (region === null) return layer
  return layer.region === null ? { ...layer, region } : node.fault('the name of a file in the bundle')
}

const picture = object({ picture: layer('overlay'), region: region.optional(), blendMode, opacity, fill }).map(
  ({ picture, region, ...compositing }, node): Operation | undefined => {
    const layer = placedIn(node.child('picture'), picture, region)
    return layer && { kind: 'picture', layer, ...compositing }
  },
)

const frameIndex = number(0, MAX_FRAMES - 1).describe('Its index in `frames`.')

const frame = object({ frame: frameIndex }).map(({ frame: index }, node): Operation | undefined => {
  const frames = node.root.child('frames').items().length
  if (!Number.isInteger(index) || index >= frames) return node.child('frame').fault('the index of one of the frames')
  return { kind: 'frame', index }
})

const affine = object({
  affine: object({ multiply: layer('affine'), add: layer('affine'), region: region.optional() }),
}).map(({ affine: { multiply, add, region } }, node): Operation | undefined => {
  const fields = node.child('affine')
  const placed = (name: string, reference: LayerReference): LayerReference | undefined =>
    placedIn(fields.child(name), reference, region)
  const layers = { multiply: placed('multiply', multiply), add: placed('add', add) }
  if (!layers.multiply || !layers.add) return undefined
  const [first, second] = [layers.multiply.region, layers.add.region]
  if (JSON.stringify(first) !== JSON.stringify(second)) return fields.child('add').fault('the region of `multiply`')
  return { kind: 'affine', multiply: layers.multiply, add: layers.add }
})

const adjustmentFields = {
  tables: file('tables').describe('256 x 1 RGB PNG of 16 bits: column = stored value of a channel.'),
  cube: file('cube').describe('33 x 1089 RGB PNG of 16 bits: column = blue, row = 33 x red + green, each 0..32.'),
  threshold: number(0, 255).describe('White where the rounded luminosity is at least this, else black.'),
}

const adjustmentObject = object({
  tables: adjustmentFields.tables.optional(),
  cube: adjustmentFields.cube.optional(),
  threshold: adjustmentFields.threshold.optional(),
}).map(({ tables, cube, threshold }, node): Adjustment | undefined => {
  if ([tables, cube, threshold].filter(value => value !== null).length !== 1) {
    return node.fault('exactly one of tables, cube and threshold')
  }
  if (tables !== null) return { kind: 'tables', image: tables }
  if (cube !== null) return { kind: 'cube', image: cube }
  return { kind: 'threshold', level: threshold ?? 0 }
})

const adjustment = new Field<Adjustment>(
  { ...adjustmentObject.schema, minProperties: 1, maxProperties: 1 },
  adjustmentObject.read,
)

const adjust = object({ adjust: adjustment, mask, opacity, blendMode }).map(
  ({ adjust: adjustment, ...rest }): Operation => ({ kind: 'adjust', adjustment, ...rest }),
)

const color = object({
  color: areaName.describe('One of the colors, which has no mask of its own.'),
  mask,
  opacity,
  blendMode,
}).map(({ color: area, ...rest }): Operation => ({ kind: 'color', area, ...rest }))

const group = object({
  group: operations.describe('Drawn on nothing, then as one picture.'),
  clip: operations.default([]).describe('Drawn on the colour of the group, within its shape.'),
  mask,
  opacity,
  fill,
  blendMode,
  where: colorRanges.describe('Which of its own colours are seen.'),
}).map(({ group: operations, ...rest }): Operation => ({ kind: 'group', operations, ...rest }))

const mix = object({
  mix: operations.describe('Drawn on what is there; then mixed with what was there before.'),
  mask,
  opacity,
  where: colorRanges.describe('Of which colours below it something is drawn.'),
}).map(({ mix: operations, ...rest }): Operation => ({ kind: 'mix', operations, ...rest }))

/** Each kind of operation, by the field that identifies it. */
const kinds: Readonly<Record<Operation['kind'], Field<Operation>>> = {
  picture,
  frame,
  affine,
  adjust,
  color,
  group,
  mix,
}

export const operationSchema = { oneOf: Object.values(kinds).map(kind => kind.schema) }

function readOperation(node: JsonNode): Operation | undefined {
  const { names, log } = node
  if (names === null) return node.fault('an object')
  if (log.operationCount === MAX_OPERATIONS) {
    return node.fault(`at most ${MAX_OPERATIONS} operations, all lists together,`, 'one more')
  }
  log.operationCount++
  if (depthOf(node) > MAX_OPERATION_DEPTH) {
    return node.fault(`lists in lists up to ${MAX_OPERATION_DEPTH} deep`, 'a deeper one')
  }
  const found = Object.entries(kinds).filter(([name]) => names.includes(name))
  const kind = found[0]?.[1]
  if (kind === undefined || found.length > 1) return node.fault(`exactly one of ${Object.keys(kinds).join(', ')}`)
  return kind.read(node)
}

/** The nesting depth of an operation. */
function depthOf(node: JsonNode): number {
  return node.path.match(/\.(?:group|mix|clip|inner)\[/g)?.length ?? 0
}

/** The pictures of an operation itself, without those of nested lists. */
export function layersOf(operation: Operation): readonly { readonly use: LayerUse; readonly layer: LayerReference }[] {
  const masks = 'mask' in operation && operation.mask !== null ? [{ use: 'mask' as const, layer: operation.mask }] : []
  if (operation.kind === 'picture') return [{ use: 'overlay', layer: operation.layer }]
  if (operation.kind !== 'affine') return masks
  return [
    { use: 'affine', layer: operation.multiply },
    { use: 'affine', layer: operation.add },
  ]
}

/** All operations of a list and nested lists, in order. `innerOf`: the list of a frame. */
export function* walkOperations(
  operations: readonly Operation[],
  innerOf: (frame: number) => readonly Operation[],
): Generator<Operation> {
  for (const operation of operations) {
    yield operation
    if (operation.kind === 'frame') yield* walkOperations(innerOf(operation.index), innerOf)
    if (operation.kind === 'group' || operation.kind === 'mix') yield* walkOperations(operation.operations, innerOf)
    if (operation.kind === 'group') yield* walkOperations(operation.clip, innerOf)
  }
}
