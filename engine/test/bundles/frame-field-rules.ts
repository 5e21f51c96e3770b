import { type DescriptionRule, square } from './describe-rules.ts'

function withLighting(frame: Record<string, unknown>, lighting: unknown): void {
  frame['lighting'] = lighting
}

/** The rules of the list of frames and of a frame's fields, each broken once. */
export const frameFieldRules: readonly DescriptionRule[] = [
  {
    rule: 'frames is a list',
    change: d => {
      Reflect.set(d, 'frames', {})
    },
    field: 'frames',
    expected: /a list of 1 to 16/,
    received: /\{\}/,
  },
  {
    rule: 'there is a frame',
    change: d => {
      d.frames = []
      delete d['tone']
    },
    field: 'frames',
    expected: /a list of 1 to 16/,
    received: /a list of 0/,
  },
  {
    rule: 'there are 16 frames at most',
    change: (d, f) => (d.frames = Array.from({ length: 17 }, () => f)),
    field: 'frames',
    expected: /1 to 16/,
    received: /a list of 17/,
  },
  {
    rule: 'a frame is an object',
    change: d => {
      Reflect.set(d.frames, 1, 'x')
    },
    field: 'frames[1]',
    expected: /an object/,
    received: /"x"/,
  },
  {
    rule: 'aspect_ratio is there',
    change: (_, f) => delete f['aspect_ratio'],
    field: 'frames[0].aspect_ratio',
    expected: /a number/,
    received: /nothing/,
  },
  {
    rule: 'aspect_ratio is above 0',
    change: (_, f) => (f['aspect_ratio'] = 0),
    field: 'frames[0].aspect_ratio',
    expected: /from 0.01 to 100/,
    received: /0/,
  },
  {
    rule: 'corners are there',
    change: (_, f) => delete f['corners'],
    field: 'frames[0].corners',
    expected: /four corners/,
    received: /nothing/,
  },
  {
    rule: 'there are four corners',
    change: (_, f) => (f['corners'] = square.slice(1)),
    field: 'frames[0].corners',
    expected: /four corners/,
    received: /\[\[70/,
  },
  {
    rule: 'a corner is two numbers',
    change: (_, f) => (f['corners'] = [square[0], square[1], [70, '80'], square[3]]),
    field: 'frames[0].corners[2]',
    expected: /two numbers/,
    received: /"80"/,
  },
  {
    rule: 'corners do not cross',
    change: (_, f) => (f['corners'] = [square[0], square[2], square[1], square[3]]),
    field: 'frames[0].corners',
    expected: /no crossing/,
    received: /\[\[10/,
  },
  {
    rule: 'corners are convex',
    change: (_, f) => (f['corners'] = [square[0], square[1], [20, 20], square[3]]),
    field: 'frames[0].corners',
    expected: /inward/,
    received: /20/,
  },
  {
    rule: 'corners span an area',
    change: (_, f) =>
      (f['corners'] = [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ]),
    field: 'frames[0].corners',
    expected: /span an area/,
    received: /3/,
  },
  {
    rule: 'mirrored corners are named',
    change: (_, f) => (f['corners'] = [square[1], square[0], square[3], square[2]]),
    field: 'frames[0].corners',
    expected: /mirrors the artwork/,
    received: /70/,
    severity: 'warning',
  },
  {
    rule: 'corners lie within four scene sizes',
    change: (_, f) => (f['corners'] = [square[0], [601, 10], square[2], square[3]]),
    field: 'frames[0].corners[1]',
    expected: /within 4 scene sizes.*120 x 90/,
    received: /601/,
  },
  {
    rule: 'a corners template has no map',
    change: (_, f) => (f['uvmap'] = 'front.png'),
    field: 'frames[0].uvmap',
    expected: /no uvmap/,
    received: /front/,
  },
  {
    rule: 'opacity is 0 to 1',
    change: (_, f) => (f['opacity'] = 1.01),
    field: 'frames[0].opacity',
    expected: /from 0 to 1/,
    received: /1.01/,
  },
  {
    rule: 'opacity is a number',
    change: (_, f) => (f['opacity'] = '1'),
    field: 'frames[0].opacity',
    expected: /a number/,
    received: /"1"/,
  },
  {
    rule: 'surface_color is a colour',
    change: (_, f) => (f['surface_color'] = 'white'),
    field: 'frames[0].surface_color',
    expected: /like "#ffffff"/,
    received: /white/,
  },
  {
    rule: 'surface_color needs lighting',
    change: (d, f) => {
      delete f['lighting']
      delete d['tone']
    },
    field: 'frames[0].surface_color',
    expected: /lighting beside it/,
    received: /none/,
    severity: 'warning',
  },
  {
    rule: 'lighting is an object',
    change: (_, f) => withLighting(f, 'shade.png'),
    field: 'frames[0].lighting',
    expected: /an object/,
    received: /shade/,
  },
  {
    rule: 'lighting has a shade',
    change: (_, f) => withLighting(f, { highlights: 'layers/highlights.png' }),
    field: 'frames[0].lighting.shade',
    expected: /name of a file/,
    received: /nothing/,
  },
  {
    rule: 'scale is above 0',
    change: (_, f) => withLighting(f, { shade: 'layers/shade.png', scale: 0 }),
    field: 'frames[0].lighting.scale',
    expected: /a number/,
    received: /0/,
  },
  {
    rule: 'unknown fields of a frame are named',
    change: (_, f) => (f['colour'] = 'x'),
    field: 'frames[0].colour',
    expected: /a known field/,
    received: /unknown field "colour"/,
  },
  {
    rule: 'unknown fields of lighting are named',
    change: (_, f) => withLighting(f, { shade: 'layers/shade.png', scal: 2 }),
    field: 'frames[0].lighting.scal',
    expected: /perhaps "scale"/,
    received: /scal/,
  },
  {
    rule: 'unknown fields of a layer are named',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9, 9], x: 1 }),
    field: 'frames[0].mask.x',
    expected: /a known field/,
    received: /"x"/,
  },
  {
    rule: 'a region has four numbers',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9] }),
    field: 'frames[0].mask.region',
    expected: /\[x, y, width, height\]/,
    received: /\[0,0,9\]/,
  },
  {
    rule: 'a region has an area',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9, 0] }),
    field: 'frames[0].mask.region',
    expected: /above 0/,
    received: /9,0/,
  },
  {
    rule: 'a region lies on the scene',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [120, 0, 9, 9] }),
    field: 'frames[0].mask.region',
    expected: /lies on the scene/,
    received: /120/,
  },
  {
    rule: 'a region is near the scene',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 601, 9] }),
    field: 'frames[0].mask.region',
    expected: /within 4 scene sizes/,
    received: /601/,
  },
  {
    rule: 'effects are for frames without lighting',
    change: (_, f) => {
      withLighting(f, { shade: 'front.png' })
      f['effects'] = [{ overlay: { color: '#ff0000' } }]
    },
    field: 'frames[0].effects',
    expected: /none in a frame with lighting/,
    received: /overlay/,
  },
  ...(
    [
      ['an effect is of one kind', { stroke: { color: '#ff0000', width: 1 }, shadow: {} }, '', /exactly one of shadow/],
      ['an effect is of a known kind', { bevel: {} }, '', /exactly one of shadow, inner_shadow, overlay, stroke/],
      ['an overlay is a colour or a picture', { overlay: {} }, '.overlay', /exactly one of color and picture/],
      [
        'a stroke is up to 1,000 wide',
        { stroke: { color: '#ff0000', width: 1001 } },
        '.stroke.width',
        /from 0 to 1000/,
      ],
      ['a shadow has a colour', { shadow: { blur: 3 } }, '.shadow.color', /a colour like/],
      ['an offset is two numbers', { shadow: { color: '#000000', offset: [1] } }, '.shadow.offset', /two numbers/],
      ['an offset is near', { shadow: { color: '#000000', offset: [0, 4001] } }, '.shadow.offset', /to 4000/],
    ] as const
  ).map(
    ([rule, effect, field, expected]): DescriptionRule => ({
      rule,
      change: (_, f) => {
        for (const name of ['lighting', 'surface_color']) Reflect.deleteProperty(f, name)
        f['effects'] = [effect]
      },
      field: `frames[0].effects[0]${field}`,
      expected,
      received: /./,
    }),
  ),
]
