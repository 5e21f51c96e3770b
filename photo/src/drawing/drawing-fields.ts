import { type Point, type RgbColor, readHexColor, toneNames } from '@vitrine/engine'
import {
  areaName,
  choice,
  constant,
  corners,
  Field,
  flag,
  hexColor,
  type JsonNode,
  list,
  MAX_ASPECT_RATIO,
  number,
  numbersOf,
  object,
  type Parsed,
  suggestions,
} from '@vitrine/engine/fields'
import { surfaceNames } from '../light/surfaces.ts'
import {
  MAX_FRAMES,
  MAX_MARKS,
  MAX_PHOTO_SIDE_PX,
  MAX_PINS,
  MAX_STROKE_POINTS,
  MAX_STROKES,
  MIN_PHOTO_SIDE_PX,
} from '../limits.ts'
import { MOST_TURN } from '../surfaces/body.ts'
import { knownProductIds } from '../surfaces/known-products.ts'
import { MAX_LENS } from '../surfaces/lens.ts'
import type { BodyMark } from './body-mark.ts'

// drawing.json, format 1: each field's type, default, rules and schema. Coordinates are pixels of the photo.

/** Of the camera's own picture: drawings may be made on a reduced one. */
const MAX_DRAWN_SIDE_PX = 65_535

const point = new Field<Point>(
  { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2, description: '[x, y] in pixels of the photo' },
  node => {
    const [x, y] = numbersOf(node.value, 2)
    return x === undefined || y === undefined ? node.fault('two numbers [x, y]') : [x, y]
  },
)

const share = number(0, 1)

const stroke = object({
  points: list(1, MAX_STROKE_POINTS, point).describe('Where the brush went.'),
  radius: number(0.5, MAX_PHOTO_SIDE_PX).describe('Half the width of the brush, in pixels of the photo.'),
  erases: flag().default(false).describe('Whether the brush takes away what others added.'),
})

const strokes = list(0, MAX_STROKES, stroke)

const mark = object(
  {
    at: point,
    u: share.optional().describe('From the left (0) to the right edge of the artwork (1).'),
    v: share.optional().describe('From the top (0) to the bottom edge (1) of the artwork, or of the body.'),
    side: choice(['left', 'right']).optional().describe('On the outline of the body, where it turns away.'),
  },
  (node, { u, v, side }) => {
    if (u === null && v === null && side === null) node.fault('"u", "v", both of them or "side" beside "at"')
    if (side !== null && side !== undefined && (u !== null || v !== null)) node.fault('"side" without "u" and "v"')
  },
).map(({ at, u, v, side }): BodyMark | undefined => {
  if (side !== null) return { kind: 'side', at, side, weight: 1 }
  if (u !== null && v !== null) return { kind: 'corner', at, u, v, weight: 1 }
  if (u !== null) return { kind: 'edge', at, u, weight: 1 }
  return v === null ? undefined : { kind: 'arc', at, v, weight: 1 }
})

const pin = object({ at: point, u: share, v: share })

/** The part of a body that carries the artwork, where its marks are on the body's outline. */
const print = object(
  {
    left: number(-MOST_TURN - 180, MOST_TURN + 180).describe('Degrees around the axis; 0 faces the camera.'),
    right: number(-MOST_TURN - 180, MOST_TURN + 180),
    top: share.describe('From the top (0) to the bottom (1) of the body.'),
    bottom: share,
  },
  (node, { left, right, top, bottom }) => {
    if (left !== undefined && right !== undefined) {
      if (right - left < 1) node.child('right').fault('more than "left"')
      if (right - left > 360) node.child('right').fault('at most 360 more than "left"')
      if (Math.abs(left + right) > 2 * MOST_TURN)
        node.child('right').fault(`a print whose middle is turned by at most ${MOST_TURN} degrees`)
    }
    if (top !== undefined && bottom !== undefined && bottom - top < 0.01) node.child('bottom').fault('more than "top"')
  },
)

const AUTOMATIC = 'auto'

/** A colour, or null to find it in the photo. */
const printGround = new Field<RgbColor | null>({ oneOf: [{ const: AUTOMATIC }, hexColor.schema] }, node => {
  if (node.value === AUTOMATIC) return null
  const hex = typeof node.value === 'string' ? hexColor.read(node) : node.fault('a colour like "#ffffff", or "auto"')
  return hex === undefined ? undefined : readHexColor(hex)
})

/** Fields that only some kinds of frames have, by their names in the drawing. */
const fieldsOfKinds = {
  flat: ['corners'],
  body: ['marks', 'measures', 'print', 'snap'],
  cloth: ['corners', 'pins', 'bulge', 'inset'],
  warp: ['mesh'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const kinds = ['flat', 'body', 'cloth', 'warp'] as const

const neededFields = { flat: ['corners'], body: ['marks'], cloth: ['corners'], warp: ['mesh'] } as const

/** The least number of points of a body: four corners do not determine it. */
const MIN_MARKS = 4

const frameField = object(
  {
    kind: choice(kinds).describe(
      'flat: four corners. body: a cylinder or cone. cloth: corners and pins. warp: 4 x 4 points of a Bezier patch.',
    ),
    aspectRatio: number(1 / MAX_ASPECT_RATIO, MAX_ASPECT_RATIO)
      .optional()
      .describe('Width / height of the artwork, measured along the surface.'),
    surface: choice(surfaceNames).describe('What the artwork is printed on: how much it mirrors, how it is cleaned.'),
    color: printGround
      .default('#ffffff')
      .describe('The colour under the print; "auto" takes it from the photo. White on all light products.'),
    sheen: number(0, 0.5).optional().describe('What the surface mirrors of white light; absent: by `surface`.'),
    gloss: number(0, 4).default(1).describe('Multiplies what a surface of this kind mirrors.'),
    brightness: number(0.25, 4).default(1).describe('Of prints on a colour that is "auto".'),
    cleans: flag().default(true).named('clean').describe('Whether the noise of the photo is left out of the light.'),
    corners: corners.optional(),
    pins: list(0, MAX_PINS, pin).default([]).describe('Points of the artwork whose place is known.'),
    bulge: number(-0.5, 0.5).default(0).describe('How much a cushion swells towards the camera.'),
    inset: number(0, MAX_PHOTO_SIDE_PX)
      .optional()
      .describe('Pixels between the outline of the product and the print; only with a product.'),
    marks: list(MIN_MARKS, MAX_MARKS, mark)
      .optional()
      .describe('Points on the artwork (u, v), or on sides and rims of the body (side, v).'),
    measures: choice(knownProductIds).optional().describe('A product whose measures are known.'),
    print: print.optional(),
    snap: flag().default(true).describe('Whether the sides of a body are moved to the edges of the photo near them.'),
    mesh: list(16, 16, point)
      .optional()
      .describe("Control points of a bicubic Bezier patch, row by row from the artwork's top left."),
    front: strokes.default([]).describe('Strokes of a brush on what hides the artwork.'),
  },
  (node, { kind, aspectRatio, measures }) => {
    if (kind === undefined) return
    for (const [other, names] of Object.entries(fieldsOfKinds)) {
      for (const name of names) {
        const isOwn = fieldsOfKinds[kind].some(own => own === name)
        if (!isOwn && !node.child(name).isAbsent)
          node.child(name).fault(`none in a frame of kind "${kind}" (${other} has it)`)
      }
    }
    for (const name of neededFields[kind]) {
      if (node.child(name).isAbsent) node.child(name).fault(`"${name}" in a frame of kind "${kind}"`)
    }
    if (kind === 'body') checkMarks(node)
    const hasRatio = aspectRatio !== null || (kind === 'body' && (measures !== null || !node.child('print').isAbsent))
    if (!hasRatio) {
      const what = kind === 'body' ? 'a number, or "measures" or "print" beside it' : 'a number: width / height'
      node.child('aspect_ratio').fault(what)
    }
  },
)

/** Marks lie on the artwork, or on the body's outline and rims. */
function checkMarks(node: JsonNode): void {
  const marks = node.child('marks').items()
  const hasSides = marks.some(mark => !mark.child('side').isAbsent)
  const hasEdges = marks.some(mark => !mark.child('u').isAbsent)
  if (hasSides && hasEdges) node.child('marks').fault('points on the artwork ("u"), or on the body ("side"), not both')
  const count = new Set(marks.map(mark => JSON.stringify(mark.child('at').value))).size
  if (count < Math.min(marks.length, MIN_MARKS)) node.child('marks').fault('points that differ')
  if (hasSides && node.child('print').isAbsent) node.child('print').fault('where the artwork lies on the body')
  if (!hasSides && !hasEdges && marks.length > 0) node.child('marks').fault('points with "u" or with "side" among them')
  if (!hasSides && !node.child('print').isAbsent)
    node.child('print').fault('none, because the marks are on the artwork')
}

const productField = object({
  name: areaName.default('product').describe('How requests name the part that is dyed.'),
  color: hexColor.optional().describe('The colour that it has in the photo; absent: that of the first frame.'),
  strokes: list(1, MAX_STROKES, stroke).describe('Strokes of a thick brush over the product, that find its outline.'),
  dyes: flag().default(true).describe('Whether requests may choose its colour.'),
  suggestions,
})

const photoSide = number(MIN_PHOTO_SIDE_PX, MAX_DRAWN_SIDE_PX)

export const drawingField = object({
  format: constant(1),
  width: photoSide.describe('Width of the photo that the drawing was made on, in pixels.'),
  height: photoSide,
  lens: number(-MAX_LENS, MAX_LENS)
    .default(0)
    .describe('Distortion of the lens: what a straight line bends by at the corners. Above 0: barrel.'),
  tone: choice(['auto', ...toneNames])
    .default('auto')
    .describe('The tone curve of the camera.'),
  frames: list(1, MAX_FRAMES, frameField),
  product: productField.optional().describe('A product that is brushed over: for its dye, or the inset of a print.'),
})

export type ParsedDrawing = Parsed<typeof drawingField>
