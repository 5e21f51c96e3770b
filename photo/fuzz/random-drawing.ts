import { MOST_TURN } from '../src/surfaces/body.ts'

type Random = () => number

const surfaces = ['fabric', 'paper', 'glass', 'ceramic']
const measures = ['mug-11oz', 'tumbler-20oz', 'bottle-wine']

/** A drawing that may be sound: its points lie about where frames of its kind would have them. */
export function randomDrawing(width: number, height: number, random: Random): object {
  const frames = Array.from({ length: random() < 0.8 ? 1 : 2 + Math.floor(random() * 3) }, () =>
    randomFrame(width, height, random),
  )
  const suggestions = [{ name: 'Navy', value: '#1f2a44' }]
  return {
    format: 1,
    width,
    height,
    ...(random() < 0.2 ? { lens: random() * 0.6 - 0.3 } : {}),
    ...(random() < 0.3 ? { tone: random() < 0.5 ? 'srgb' : 'shoulder0.7' } : {}),
    frames,
    ...(random() < 0.4
      ? { product: { strokes: randomStrokes(width, height, 0.3, random), suggestions, dyes: random() < 0.8 } }
      : {}),
  }
}

/** Strokes over the middle, some points, the rim and beyond; of any width; some erase. */
function randomStrokes(width: number, height: number, greatest: number, random: Random): object[] {
  const reach = random() < 0.8 ? 1 : 3
  const point = (): [number, number] => [
    width * (0.5 + reach * (random() - 0.5)),
    height * (0.5 + reach * (random() - 0.5)),
  ]
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
    points: Array.from({ length: 1 + Math.floor(random() * 5) }, point),
    radius: random() < 0.1 ? 0.5 + random() * 4000 * random() : 0.5 + random() * greatest * width,
    ...(random() < 0.2 ? { erases: true } : {}),
  }))
}

function randomFrame(width: number, height: number, random: Random): object {
  const jitter = random() < 0.7 ? 0.1 : 0.6
  const at = (u: number, v: number): [number, number] => [
    width * (0.2 + 0.6 * u + jitter * (random() - 0.5)),
    height * (0.2 + 0.6 * v + jitter * (random() - 0.5)),
  ]
  const corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
  const shared = {
    surface: pick(surfaces, random),
    aspect_ratio: 0.3 + 2 * random(),
    ...(random() < 0.3 ? { color: pick(['#37373b', 'auto', '#000000', '#ff0000'], random) } : {}),
    ...(random() < 0.2 ? { sheen: random() * 0.5, gloss: random() * 4, brightness: 0.25 + 3 * random() } : {}),
    ...(random() < 0.2 ? { clean: false } : {}),
    ...(random() < 0.15 ? { front: randomStrokes(width, height, 0.06, random) } : {}),
  }
  const kind = Math.floor(random() * 4)
  if (kind === 0) return { kind: 'flat', ...shared, corners }
  if (kind === 1) {
    const pins = Array.from({ length: Math.floor(random() * 5) }, () => {
      const [u, v] = [random(), random()]
      return { at: at(u, v), u, v }
    })
    const inset = random() < 0.3 ? { inset: random() * 10 } : {}
    return { kind: 'cloth', ...shared, corners, pins, bulge: random() < 0.5 ? 0 : random() - 0.5, ...inset }
  }
  if (kind === 2) {
    const mesh = Array.from({ length: 16 }, (_, i) => at((i % 4) / 3, Math.floor(i / 4) / 3))
    return { kind: 'warp', ...shared, mesh }
  }
  if (random() < 0.5) {
    const marks = corners.map((point, i) => ({ at: point, u: i === 1 || i === 2 ? 1 : 0, v: i > 1 ? 1 : 0 }))
    const arcs = [
      { at: at(0.5, 0.05), v: 0 },
      { at: at(0.5, 1.05), v: 1 },
    ]
    return { kind: 'body', ...shared, marks: [...marks, ...arcs], snap: random() < 0.5 }
  }
  const sides = [0, 0.5, 1].flatMap(v => [
    { at: at(0, v), side: 'left' },
    { at: at(1, v), side: 'right' },
  ])
  const arcs = [
    { at: at(0.5, 0.05), v: 0 },
    { at: at(0.5, 1.05), v: 1 },
  ]
  const [middle, half] = [MOST_TURN * (2 * random() - 1), 1 + 179 * random()]
  const print = { left: middle - half, right: middle + half, top: 0.3 * random(), bottom: 0.6 + 0.4 * random() }
  return { kind: 'body', ...shared, marks: [...sides, ...arcs], print, measures: pick(measures, random) }
}

function pick(list: readonly string[], random: Random): string {
  return list[Math.floor(random() * list.length)] ?? ''
}

const odd = [null, true, '', 'x', -1, 0, 1, 1e9, -1e9, 1e-9, 0.5, [], {}, [[0, 0]]]

/** The same drawing; in one of four with some value changed, doubled, left out or renamed. */
export function mutateDrawing(drawing: object, random: Random): unknown {
  if (random() < 0.75) return drawing
  const copy: unknown = JSON.parse(JSON.stringify(drawing))
  for (let k = 0; k < 1 + 2 * random(); k++) mutateOnce(copy, random)
  // Removed items leave holes, which JSON has none of.
  return JSON.parse(JSON.stringify(copy))
}

function mutateOnce(value: unknown, random: Random): void {
  if (typeof value !== 'object' || value === null) return
  const names = Object.keys(value)
  const name = names[Math.floor(random() * names.length)]
  if (name === undefined) return
  const child: unknown = Reflect.get(value, name)
  if (typeof child === 'object' && child !== null && random() < 0.75) {
    mutateOnce(child, random)
    return
  }
  const kind = random()
  if (kind < 0.15) Reflect.deleteProperty(value, name)
  else if (kind < 0.25 && !Array.isArray(value)) Reflect.set(value, `${name}x`, child)
  else if (typeof child === 'number' && kind < 0.7) Reflect.set(value, name, child * (4 * random() - 2))
  else Reflect.set(value, name, structuredClone(odd[Math.floor(random() * odd.length)]))
}
