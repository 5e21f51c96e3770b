import type { DescriptionRule } from './describe-rules.ts'

type Area = Record<string, unknown>

/** A colour area that the good bundle may have. */
export const goodArea = {
  name: 'frame',
  default: '#C8C8c8',
  mask: 'layers/mask.png',
  suggestions: [{ name: 'Oak', value: '#b08850' }],
}

/** The good description with one area that is changed. */
function withArea(change: (area: Area) => void): DescriptionRule['change'] {
  return description => {
    const area: Area = structuredClone(goodArea)
    change(area)
    description['colors'] = [area]
  }
}

/** The light on the good area in a dark colour. */
export const goodDark = { color: '#202020', lighting: { shade: 'layers/shade.png' } }

/** The good description with one lit area, and its first frame, that are changed. */
function withLitArea(change: (area: Area, frame: Area) => void): DescriptionRule['change'] {
  return (description, frame) => {
    const area: Area = { ...structuredClone(goodArea), lighting: { shade: 'layers/shade.png' } }
    change(area, frame)
    description['colors'] = [area]
    // With it the template would cost too much.
    description.overlays = []
  }
}

/** The rules of colour areas, each broken once. */
export const colorFieldRules: readonly DescriptionRule[] = [
  {
    rule: 'there are 8 colour areas at most',
    change: d => (d['colors'] = Array.from({ length: 9 }, (_, i) => ({ ...goodArea, name: `part-${i}` }))),
    field: 'colors',
    expected: /0 to 8/,
    received: /a list of 9/,
  },
  {
    rule: 'a colour area has a short name',
    change: withArea(area => (area['name'] = 'Shirt body')),
    field: 'colors[0].name',
    expected: /1 to 32 characters of a-z/,
    received: /"Shirt body"/,
  },
  {
    rule: 'colour areas have different names',
    change: d => (d['colors'] = [goodArea, goodArea]),
    field: 'colors[1].name',
    expected: /another name/,
    received: /"frame"/,
  },
  {
    rule: 'a colour area has a default',
    change: withArea(area => (area['default'] = 'grey')),
    field: 'colors[0].default',
    expected: /a colour like/,
    received: /"grey"/,
  },
  {
    rule: 'the default of an area without lighting is light enough to be divided out',
    change: withArea(area => (area['default'] = '#80802f')),
    field: 'colors[0].default',
    expected: /at least "#303030"/,
    received: /"#80802f"/,
  },
  {
    rule: 'a colour area has a mask',
    change: withArea(area => delete area['mask']),
    field: 'colors[0].mask',
    expected: /a mask, or an operation of the stack/,
    received: /nothing/,
  },
  {
    rule: 'the blending_mode of a colour area is known',
    change: withArea(area => (area['blending_mode'] = 'x')),
    field: 'colors[0].blending_mode',
    expected: /"?normal"?/,
    received: /"x"/,
  },
  {
    rule: 'blending_mode is not used beside the lighting of a colour area',
    change: d => {
      d['colors'] = [{ ...goodArea, lighting: { shade: 'layers/shade.png' }, blending_mode: 'multiply' }]
      // With it the template would cost too much.
      d.overlays = []
    },
    field: 'colors[0].blending_mode',
    expected: /none beside lighting/,
    received: /"multiply"/,
    severity: 'warning',
  },
  {
    rule: 'dark is compared with lighting',
    change: withArea(area => (area['dark'] = goodDark)),
    field: 'colors[0].dark',
    expected: /none in an area without lighting/,
    received: /\{"/,
  },
  {
    rule: 'dark has a colour',
    change: withLitArea(area => (area['dark'] = { ...goodDark, color: 'black' })),
    field: 'colors[0].dark.color',
    expected: /a colour like/,
    received: /"black"/,
  },
  {
    rule: 'dark has light',
    change: withLitArea(area => (area['dark'] = { color: goodDark.color })),
    field: 'colors[0].dark.lighting',
    expected: /an object/,
    received: /nothing/,
  },
  {
    rule: 'dark is darker than the default in each channel',
    change: withLitArea(area => (area['dark'] = { ...goodDark, color: '#2020c8' })),
    field: 'colors[0].dark.color',
    expected: /darker than the default in each channel/,
    received: /"#2020c8"/,
  },
  {
    rule: 'dark_lighting is of a frame with lighting',
    change: withLitArea((area, f) => {
      area['dark'] = goodDark
      f['surface'] = 'frame'
      f['dark_lighting'] = goodDark.lighting
      delete f['lighting']
      delete f['surface_color']
    }),
    field: 'frames[0].dark_lighting',
    expected: /none in a frame without lighting/,
    received: /\{"/,
  },
  {
    rule: 'dark_lighting is of a frame on an area with dark',
    change: withLitArea((_, f) => {
      f['surface'] = 'frame'
      f['dark_lighting'] = goodDark.lighting
    }),
    field: 'frames[0].dark_lighting',
    expected: /none without a surface that has dark/,
    received: /\{"/,
  },
  {
    rule: 'a suggestion is a colour',
    change: withArea(area => (area['suggestions'] = [{ name: 'Oak', value: '#b0885' }])),
    field: 'colors[0].suggestions[0].value',
    expected: /a colour like/,
    received: /"#b0885"/,
  },
  {
    rule: 'a suggestion has a name',
    change: withArea(area => (area['suggestions'] = [{ name: ' ', value: '#b08850' }])),
    field: 'colors[0].suggestions[0].name',
    expected: /text of 1 to 40 characters/,
    received: /" "/,
  },
  {
    rule: 'surface is a colour area',
    change: (_, f) => (f['surface'] = 'shirt'),
    field: 'frames[0].surface',
    expected: /the name of one of the colors/,
    received: /"shirt"/,
  },
  {
    rule: 'surface needs lighting',
    change: (d, f) => {
      d['colors'] = [goodArea]
      f['surface'] = 'frame'
      delete f['lighting']
      delete f['surface_color']
      delete d['tone']
    },
    field: 'frames[0].surface',
    expected: /lighting beside it/,
    received: /none/,
    severity: 'warning',
  },
]
