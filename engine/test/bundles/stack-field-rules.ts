import type { DescriptionRule } from './describe-rules.ts'

type Described = Parameters<DescriptionRule['change']>[0]

/** Every kind of operation once, for a template of one frame. */
export const goodStack = [
  { picture: 'front.png', region: [5, 5, 60, 40], blending_mode: 'multiply', opacity: 0.6, fill: 0.5 },
  { mix: [{ adjust: { threshold: 128 } }], mask: 'layers/mask.png', opacity: 0.5 },
  {
    group: [{ frame: 0 }, { color: 'frame', mask: 'layers/mask.png', blending_mode: 'multiply' }],
    clip: [{ adjust: { tables: 'curve.png' }, opacity: 0.3, blending_mode: 'luminosity' }],
    blending_mode: 'screen',
  },
  { affine: { multiply: 'm.png', add: 'a.png', region: [0, 0, 60, 45] } },
  { adjust: { cube: 'hue.png' } },
]

/** The good description without light, with that stack and the colour that it draws. */
export function giveStack(description: Described): void {
  const { lighting: _light, surface_color: _color, ...frame } = description.frames[0] ?? {}
  description.frames = [
    { ...frame, slot: 'design', fill: 0.5, inner: [{ picture: 'front.png', region: [0, 0, 9, 9] }] },
  ]
  description['stack'] = structuredClone(goodStack)
  description['colors'] = [{ name: 'frame', default: '#102030' }]
  Reflect.deleteProperty(description, 'overlays')
  Reflect.deleteProperty(description, 'tone')
}

/** The good description with that stack and its light, overlays, and a colour that scene and stack show. */
export function giveLitStack(description: Described): void {
  const frames = structuredClone(description.frames)
  const { overlays, tone } = { tone: undefined, ...description }
  giveStack(description)
  const inner = [{ adjust: { threshold: 90 } }]
  const colors = [{ name: 'frame', default: '#c8c8c8', mask: 'layers/mask.png' }]
  Object.assign(description, { tone, overlays, colors, frames: frames.map(frame => ({ ...frame, fill: 0.5, inner })) })
}

function withStack(
  change: (description: Described, stack: Record<string, unknown>[]) => void,
): DescriptionRule['change'] {
  return description => {
    giveStack(description)
    const stack: Record<string, unknown>[] = structuredClone(goodStack)
    description['stack'] = stack
    change(description, stack)
  }
}

/** Lists of that depth, one in another. */
function nested(depth: number): unknown {
  return depth === 0 ? { adjust: { threshold: 1 } } : { mix: [nested(depth - 1)] }
}

/** The rules of the stack, each broken once. */
export const stackFieldRules: readonly DescriptionRule[] = [
  {
    rule: 'an operation is of one kind',
    change: withStack((_, stack) => stack.push({ picture: 'front.png', frame: 0 })),
    field: 'stack[5]',
    expected: /exactly one of picture, frame, affine, adjust, color, group, mix/,
    received: /front/,
  },
  {
    rule: 'an operation is of a known kind',
    change: withStack((_, stack) => stack.push({ pictur: 'front.png' })),
    field: 'stack[5]',
    expected: /exactly one of picture/,
    received: /pictur/,
  },
  {
    rule: 'unknown fields of an operation are named',
    change: withStack((_, stack) => stack.push({ picture: 'front.png', mask: 'layers/mask.png' })),
    field: 'stack[5].mask',
    expected: /a known field/,
    received: /unknown field "mask"/,
  },
  {
    rule: 'an operation draws a frame that there is',
    change: withStack((_, stack) => stack.push({ frame: 1 })),
    field: 'stack[5].frame',
    expected: /index of one of the frames/,
    received: /1/,
  },
  {
    rule: 'a frame is drawn once',
    change: withStack((_, stack) => stack.push({ frame: 0 })),
    field: 'stack',
    expected: /each frame exactly once/,
    received: /frame 0 2 times/,
  },
  {
    rule: 'a frame does not draw itself',
    change: withStack(d => Reflect.set(d.frames[0] ?? {}, 'inner', [{ frame: 0 }])),
    field: 'stack',
    expected: /each frame exactly once/,
    received: /frame 0 2 times/,
  },
  {
    rule: 'every frame is drawn',
    change: withStack((_, stack) => stack.splice(2, 1)),
    field: 'stack',
    expected: /each frame exactly once/,
    received: /frame 0 not at all/,
  },
  {
    rule: 'an operation draws a colour that there is',
    change: withStack((_, stack) => stack.push({ color: 'sleeve' })),
    field: 'stack',
    expected: /one of the colors/,
    received: /sleeve/,
  },
  {
    rule: 'a colour of the stack has no lighting',
    change: withStack(d => (d['colors'] = [{ name: 'frame', default: '#c8c8c8', lighting: { shade: 'front.png' } }])),
    field: 'colors[0].lighting',
    expected: /none in an area that the stack draws/,
    received: /shade/,
  },
  {
    rule: 'a colour area without a mask is one of the stack',
    change: d => (d['colors'] = [{ name: 'frame', default: '#c8c8c8' }]),
    field: 'colors[0].mask',
    expected: /an operation of the stack that draws this area/,
    received: /nothing/,
  },
  {
    rule: 'an adjustment is of one kind',
    change: withStack((_, stack) => stack.push({ adjust: { tables: 'curve.png', threshold: 3 } })),
    field: 'stack[5].adjust',
    expected: /exactly one of tables, cube and threshold/,
    received: /curve/,
  },
  {
    rule: 'the pictures of an affine lie over each other',
    change: withStack((_, stack) =>
      stack.push({ affine: { multiply: 'm.png', add: { image: 'a.png', region: [0, 0, 9, 9] } } }),
    ),
    field: 'stack[5].affine.add',
    expected: /the region of `multiply`/,
    received: /a.png/,
  },
  {
    rule: 'an affine is not drawn in a group',
    change: withStack((_, stack) =>
      stack.push({ group: [{ mix: [{ affine: { multiply: 'm.png', add: 'a.png' } }] }] }),
    ),
    field: 'stack',
    expected: /no affine in a group/,
    received: /one/,
  },
  {
    rule: 'lists are 4 deep at most',
    change: withStack((_, stack) => stack.push({ mix: [nested(4)] })),
    field: 'stack[5].mix[0].mix[0].mix[0].mix[0].mix[0]',
    expected: /up to 4 deep/,
    received: /deeper/,
  },
  {
    rule: 'there are 64 operations at most',
    change: withStack((_, stack) => {
      for (let i = 0; i < 7; i++) stack.push({ mix: Array.from({ length: 9 }, () => ({ adjust: { threshold: 1 } })) })
    }),
    field: 'stack[10].mix[5]',
    expected: /at most 64 operations/,
    received: /one more/,
  },
  {
    rule: 'a slot has a short name',
    change: (_, f) => (f['slot'] = 'Your design'),
    field: 'frames[0].slot',
    expected: /1 to 32 characters of a-z/,
    received: /Your design/,
  },
  {
    rule: 'a map template has a map',
    change: d => (d['render_mode'] = 'uvmap'),
    field: 'render_mode',
    expected: /"corners", because no frame has a uvmap/,
    received: /uvmap/,
  },
]
