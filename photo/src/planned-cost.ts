import {
  type Described,
  estimateTemplateCost,
  MAX_TEMPLATE_MEMORY_BYTES,
  MAX_TEMPLATE_TIME_MS,
  parseTemplate,
  type Quad,
  type Rect,
  regionOf,
} from '@vitrine/engine'

/** A template before its light is computed: the rectangles of its layers, each of which may be stored. */
export type PlannedTemplate = {
  readonly widthPx: number
  readonly heightPx: number
  readonly frames: readonly { readonly rect: Rect; readonly quad: Quad | null }[]
  /** of the part that is dyed; null where none is */
  readonly product: Rect | null
}

/** Whether a template stays within the limits that bundles are checked against. */
export function isAffordable({ widthPx, heightPx, frames, product }: PlannedTemplate): boolean {
  const sizes = new Map([['scene', { widthPx, heightPx }]])
  const layer = (name: string, rect: Rect, half = 1): Described => {
    sizes.set(name, { widthPx: Math.ceil(rect.widthPx / half), heightPx: Math.ceil(rect.heightPx / half) })
    return { image: name, region: regionOf(rect) }
  }
  const light = (name: string, rect: Rect): Described => ({
    shade: layer(`${name}-shade`, rect),
    highlights: layer(`${name}-highlights`, rect),
  })
  const template = parseTemplate({
    format: 1,
    id: 'planned',
    name: 'Planned',
    category: 'Planned',
    type: 'product',
    render_mode: frames.every(({ quad }) => quad) ? 'corners' : 'uvmap',
    scene: 'scene',
    frames: frames.map(({ rect, quad }, index) => ({
      aspect_ratio: 1,
      ...(quad ? { corners: quad } : { uvmap: layer(`uv-${index}`, rect, 2) }),
      mask: layer(`mask-${index}`, rect),
      lighting: light(`frame-${index}`, rect),
    })),
    ...(product
      ? {
          colors: [
            { name: 'product', default: '#ffffff', mask: layer('product', product), lighting: light('dye', product) },
          ],
        }
      : {}),
    overlays: frames.map(({ rect }, index) => layer(`rest-${index}`, rect)),
  })
  const { timeMs, memoryBytes } = estimateTemplateCost(template, (_, path) => {
    const size = sizes.get(path) ?? { widthPx: 1, heightPx: 1 }
    return { ...size, shown: { left: 0, top: 0, ...size } }
  })
  return timeMs <= MAX_TEMPLATE_TIME_MS && memoryBytes <= MAX_TEMPLATE_MEMORY_BYTES
}
