/** Turns a draft into a bundle of format 1: template.json, the scene, a mask per frame that has one; and into its zip. */
import { zipSync } from 'fflate'
import { type Draft, type DraftFrame, ratioOf } from './draft.ts'

const sceneNames: Readonly<Record<string, string>> = {
  'image/jpeg': 'scene.jpg',
  'image/png': 'scene.png',
  'image/webp': 'scene.webp',
}

/** An id out of a name: a-z 0-9 -, 2 to 64 characters, with a random end so that two templates of one name differ. */
export function idOfName(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 52)
    .replace(/-+$/, '')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(5)), byte => (byte % 36).toString(36)).join('')
  return `${base === '' ? 'template' : base}-${random}`
}

/** The frame's mask as an 8-bit picture of the scene's size: white where the frame is seen. */
async function maskOf({ mask }: DraftFrame, { widthPx, heightPx }: Draft): Promise<Uint8Array | null> {
  if (mask.kind === 'none' || (mask.kind === 'polygons' && mask.polygons.length === 0)) return null
  const canvas = new OffscreenCanvas(widthPx, heightPx)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a mask.')
  if (mask.kind === 'picture') {
    using picture = await closingBitmap(mask.picture)
    context.filter = 'grayscale(1)'
    context.drawImage(picture.bitmap, 0, 0, widthPx, heightPx)
  } else {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, widthPx, heightPx)
    context.fillStyle = '#000'
    for (const polygon of mask.polygons) {
      context.beginPath()
      for (const [x, y] of polygon) context.lineTo(x, y)
      context.closePath()
      context.fill()
    }
  }
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
}

async function closingBitmap(blob: Blob): Promise<{ bitmap: ImageBitmap } & Disposable> {
  const bitmap = await createImageBitmap(blob)
  return { bitmap, [Symbol.dispose]: () => bitmap.close() }
}

/** The files of the bundle. Throws where the photo is of a type that a scene can't have. */
export async function bundleOfDraft(draft: Draft, id: string): Promise<Map<string, Uint8Array>> {
  const scene = sceneNames[draft.photo.type]
  if (scene === undefined)
    throw new Error(`Expected a JPEG, PNG or WebP for the photo but received ${draft.photo.type || 'an unknown type'}.`)
  const files = new Map<string, Uint8Array>([[scene, new Uint8Array(await draft.photo.arrayBuffer())]])
  const frames = []
  for (const [index, frame] of draft.frames.entries()) {
    const mask = await maskOf(frame, draft)
    const maskName = `frame-${index}-mask.png`
    if (mask !== null) files.set(maskName, mask)
    frames.push({
      aspect_ratio: Number(ratioOf(frame, draft).toFixed(4)),
      corners: frame.corners.map(([x, y]) => [Number(x.toFixed(3)), Number(y.toFixed(3))]),
      opacity: frame.opacity,
      ...(mask === null ? {} : { mask: maskName }),
    })
  }
  const manifest = {
    format: 1,
    id,
    name: draft.name.trim(),
    category: draft.category.trim(),
    type: draft.type,
    surface_type: draft.type === 'product' && draft.surfaceType !== '' ? draft.surfaceType : null,
    render_mode: 'corners',
    blending_mode: draft.blendingMode,
    scene,
    frames,
  }
  files.set('template.json', new TextEncoder().encode(JSON.stringify(manifest, null, 2)))
  return files
}

/** Pictures are compressed already: they are stored, not deflated again. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>): Blob {
  return new Blob([new Uint8Array(zipSync(Object.fromEntries(files), { level: 0 }))], { type: 'application/zip' })
}
