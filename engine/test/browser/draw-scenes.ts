import { blendModeNames } from '../../src/blending/blend-modes.ts'
import type { Quad } from '../../src/geometry/quad.ts'
import { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import type { UvPixmap, WidePixmap } from '../../src/pixmap.ts'
import { composeMockup } from '../../src/render.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { recolorTemplate } from '../../src/template/recolor-template.ts'
import type { Operation } from '../../src/template/stack-fields.ts'
import type { Frame, Template } from '../../src/template/template.ts'
import { buildArea, buildFrame, buildPicture, buildTemplate } from '../properties/build-template.ts'
import { buildDetailArtwork } from '../reference/detail-artwork.ts'
import { asDecoded, MemoryBundle } from '../reference/memory-codec.ts'

const WIDTH_PX = 90
const HEIGHT_PX = 110

const quad: Quad = [
  [12.3, 9.1],
  [80.6, 20.4],
  [77.2, 99.9],
  [8.8, 90.2],
]

function buildBundle(): MemoryBundle {
  const bundle = new MemoryBundle()
  const wall = buildPicture(WIDTH_PX, HEIGHT_PX, (x, y) => [200 - x, 150 + (y % 50), (x * y) % 256, 255])
  const rgb = wall.data.filter((_, i) => i % 4 !== 3)
  bundle.add('scene', { alpha: 'opaque', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, data: rgb })
  bundle.add('light', { alpha: 'opaque', widthPx: WIDTH_PX, heightPx: HEIGHT_PX, data: rgb.toReversed() })
  const mask = Uint8Array.from({ length: 45 * 55 }, (_, i) => ((i % 45) * 11) % 256)
  bundle.add('mask', { alpha: 'coverage', widthPx: 45, heightPx: 55, data: mask })
  bundle.add(
    'leaf',
    buildPicture(60, 60, (x, y) => [20, 150, x, Math.max(0, 255 - 9 * Math.abs(x - y))]),
  )
  const data = new Uint16Array(45 * 55 * 3)
  for (let i = 0; i < 45 * 55; i++) {
    const t = ((i % 45) - 22) / 22.5
    data.set([(0.5 + Math.asin(t) / Math.PI) * 65535, ((Math.floor(i / 45) + 0.5) / 55) * 65535, 65535], i * 3)
  }
  const map: UvPixmap = { alpha: 'uv', widthPx: 45, heightPx: 55, hasCoverage: false, data }
  bundle.add('map', map)
  const wide = (widthPx: number, heightPx: number, value: (i: number) => number): WidePixmap => ({
    alpha: 'wide',
    widthPx,
    heightPx,
    data: Uint16Array.from({ length: widthPx * heightPx * 3 }, (_, i) => value(i)),
  })
  bundle.add(
    'curve',
    wide(256, 1, i => Math.round(65_535 * (Math.floor(i / 3) / 255) ** (0.7 + 0.3 * (i % 3)))),
  )
  bundle.add(
    'cube',
    wide(33, 1089, i => (i * 7919) % 65_536),
  )
  bundle.add(
    'multiply',
    wide(45, 55, i => 65_535 - ((i * 131) % 30_000)),
  )
  bundle.add(
    'add',
    wide(45, 55, i => (i * 37) % 9000),
  )
  return bundle
}

/** Operations of every kind over two frames of their own modes, lists in lists. */
function buildStack(corners: Frame, map: Frame): Template {
  const leaf = { image: 'leaf', region: { x: 10.5, y: 20, width: 70, height: 70 } }
  const mask = { image: 'mask', region: null }
  const plain = { blendMode: 'normal', opacity: 1, mask: null } as const
  const inner: Operation[] = [
    { kind: 'adjust', adjustment: { kind: 'tables', image: 'curve' }, ...plain },
    { kind: 'picture', layer: leaf, blendMode: 'screen', opacity: 0.6, fill: 1 },
  ]
  const stack: Operation[] = [
    { kind: 'picture', layer: leaf, blendMode: 'multiply', opacity: 0.7, fill: 1 },
    {
      kind: 'group',
      operations: [
        { kind: 'frame', index: 0 },
        { kind: 'picture', layer: leaf, blendMode: 'color-dodge', opacity: 1, fill: 0.4 },
      ],
      clip: [{ kind: 'adjust', adjustment: { kind: 'cube', image: 'cube' }, ...plain, opacity: 0.2 }],
      fill: 1,
      where: { gray: [10, 40, 230, 255], red: null, green: null, blue: null },
      ...plain,
      mask,
    },
    {
      kind: 'mix',
      operations: [
        { kind: 'frame', index: 1 },
        { kind: 'adjust', adjustment: { kind: 'threshold', level: 120 }, ...plain, opacity: 0.5 },
      ],
      mask,
      opacity: 0.9,
      where: { gray: null, red: [0, 30, 240, 255], green: null, blue: [0, 0, 200, 250] },
    },
    { kind: 'color', area: 'wall', mask, blendMode: 'soft-light', opacity: 0.8 },
    {
      kind: 'affine',
      multiply: { image: 'multiply', region: null },
      add: { image: 'add', region: null },
    },
  ]
  const frames = [
    { ...corners, inner, blendMode: 'hard-light' } as const,
    { ...map, fill: 0.7, blendMode: 'linear-burn', inner: inner.slice(1) } as const,
  ]
  return buildTemplate(frames, { stack, colors: [buildArea('wall', { default: '#e0d8c8', mask: null })] })
}

/**
 * Renders one scene of every kind with nothing but the pure part of the engine, one with its kernel too:
 * pixels by name, the same wherever it runs. `module`: the kernel `frame-drawer`.
 */
export async function drawScenes(module: WebAssembly.Module): Promise<Record<string, Uint8Array>> {
  const bundle = buildBundle()
  const print = asDecoded(buildDetailArtwork(150, 200))
  const clear = asDecoded(buildPicture(70, 70, (x, y) => [x * 3, y * 3, 128, (x * y) % 256]))
  const corners = (changes: Partial<Frame> = {}): Frame => buildFrame(0.75, { kind: 'corners', corners: quad }, changes)
  const lit: Partial<Frame> = {
    mask: { image: 'mask', region: null },
    lighting: {
      shade: { image: 'light', region: null },
      highlights: { image: 'light', region: { x: 3.5, y: 8, width: 60, height: 70.25 } },
      scale: 1.3,
    },
  }
  const map = buildFrame(0.75, { kind: 'uvmap', uvmap: { image: 'map', region: null } })
  const scenes: Record<string, Template> = {
    map: buildTemplate([map]),
    'lit map': buildTemplate([{ ...map, ...lit }]),
    lit: buildTemplate([corners(lit)], { tone: 'shoulder0.7' }),
    overlay: buildTemplate([corners({ opacity: 0.6 })], {
      overlays: [{ layer: { image: 'leaf', region: null }, blendMode: 'soft-light', opacity: 0.9 }],
    }),
  }
  const area = buildArea('wall', {
    default: '#e0d8c8',
    mask: { image: 'mask', region: { x: 5, y: 0, width: 80.5, height: 100 } },
    lighting: lit.lighting ?? null,
  })
  const darkLighting = { shade: { image: 'light', region: null }, highlights: null, scale: 0.8 }
  const dark = { color: { red: 20, green: 20, blue: 20 }, lighting: darkLighting }
  scenes['colored in light'] = buildTemplate([corners({ ...lit, surface: 'wall' })], { colors: [area] })
  scenes['colored in its own light'] = buildTemplate([corners({ ...lit, surface: 'wall', darkLighting })], {
    colors: [{ ...area, dark }],
  })
  scenes['colored photograph'] = buildTemplate([corners()], { colors: [{ ...area, lighting: null }] })
  scenes['stack'] = buildStack(corners(), map)
  for (const blendMode of blendModeNames) scenes[blendMode] = buildTemplate([corners()], { blendMode })
  const colors = new Map([['wall', '#1f2a44']])
  const pictures: Record<string, Uint8Array> = {}
  for (const [name, template] of Object.entries(scenes)) {
    const base = await prepareTemplate(template, bundle, WIDTH_PX, bundle.codec())
    const prepared = await recolorTemplate(base, template, bundle, colors, bundle.codec())
    const everywhere = template.frames.map(() => print)
    pictures[name] = composeMockup(prepared, everywhere).data
    pictures[`${name}, clear artwork`] = composeMockup(
      prepared,
      template.frames.map(() => clear),
    ).data
    if (template.stack !== null) {
      pictures[`${name}, kernel`] = composeMockup(prepared, everywhere, new FrameKernel(module)).data
    }
  }
  return pictures
}
