/** Opens a bundle of the service in the editor. Parts that the editor does not show stay unchanged. */
import { parseTemplate, type Template } from '@vitrine/engine'
import { unzip } from 'fflate'
import { send } from '../api.ts'
import type { Draft, DraftArea, DraftFrame, DraftLayer, DraftMask } from './draft.ts'
import { newTemplateNamed } from './id-of-name.ts'
import { DRAWING_FILE } from './photo/drawing-of-draft.ts'
import type { PhotoDraft } from './photo/photo-draft.ts'
import { photoDraftOfBundle } from './photo/photo-draft-of-bundle.ts'

type Frame = Template['frames'][number]
type Layer = Template['overlays'][number]['layer']
type Size = { readonly widthPx: number; readonly heightPx: number }

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/**
 * Its newest version, as a draft that replaces it when saved; `asCopy`: as a new template. One that was made
 * from a photo opens with its drawing. Throws ApiError.
 */
export async function loadTemplateDraft(
  templateId: string,
  { asCopy }: { asCopy: boolean },
): Promise<Draft | PhotoDraft> {
  const response = await send(`/dashboard/api/templates/${encodeURIComponent(templateId)}/bundle.zip`)
  const files = await unzipped(new Uint8Array(await response.arrayBuffer()))
  const draft = files.has(DRAWING_FILE) ? await photoDraftOfBundle(files) : await draftOfBundle(files)
  if (!asCopy) return draft
  // Its new owner decides whether others may have the whole bundle.
  const kept = fieldsOf(draft.kept, ['share_bundle'])
  return { ...draft, kept, ...newTemplateNamed(`${draft.name} (copy)`.slice(0, 100)) }
}

function unzipped(zip: Uint8Array): Promise<Map<string, Blob>> {
  return new Promise((resolve, reject) =>
    unzip(zip, (error, entries) => {
      if (error !== null) return reject(error)
      const blobs = Object.entries(entries).map(([name, bytes]) => {
        const type = types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
        return [name, new Blob([new Uint8Array(bytes)], { type })] as const
      })
      resolve(new Map(blobs))
    }),
  )
}

async function draftOfBundle(files: ReadonlyMap<string, Blob>): Promise<Draft> {
  const description: unknown = JSON.parse(await fileOf(files, 'template.json').text())
  const template = parseTemplate(description)
  const { frames: rawFrames, ...kept } = fieldsOf(description, ['colors', 'overlays', 'thumbnail'])
  const photo = fileOf(files, template.scene)
  const bitmap = await createImageBitmap(photo)
  const size = { widthPx: bitmap.width, heightPx: bitmap.height }
  bitmap.close()
  const frames: DraftFrame[] = []
  for (const [index, frame] of template.frames.entries()) {
    const raw: unknown = Array.isArray(rawFrames) ? rawFrames[index] : null
    frames.push(await draftFrame(frame, fieldsOf(raw, ['mask']), files, size))
  }
  const areas: DraftArea[] = []
  const rawAreas = Reflect.get(Object(description), 'colors')
  for (const [index, area] of template.colors.entries()) {
    const raw: unknown = Array.isArray(rawAreas) ? rawAreas[index] : null
    areas.push({
      id: crypto.randomUUID(),
      name: area.name,
      default: area.default,
      mask: area.mask === null ? { kind: 'none' } : await keptMask(area.mask, files, size),
      suggestions: area.suggestions,
      kept: fieldsOf(raw, ['mask']),
    })
  }
  const keptFiles = new Map(files)
  keptFiles.delete('template.json')
  return {
    id: template.id,
    isNew: false,
    photo,
    photoName: template.scene,
    ...size,
    name: template.name,
    category: template.category,
    type: template.type,
    surfaceType: template.surfaceType ?? '',
    blendingMode: template.blendMode,
    frames,
    areas,
    overlays: template.overlays.map(({ layer, blendMode, opacity }) => ({
      id: crypto.randomUUID(),
      picture: fileOf(files, layer.image),
      layer: described(layer),
      blendingMode: blendMode,
      opacity,
    })),
    thumbnail: template.thumbnail,
    kept,
    keptFiles,
    drawing: null,
    sample: null,
    shared: false,
  }
}

/**
 * Fields of template.json, except those that the editor may remove; saving overwrites the fields that the
 * editor edits.
 */
function fieldsOf(description: unknown, removable: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = typeof description === 'object' && description !== null ? Object.entries(description) : []
  return Object.fromEntries(fields.filter(([name]) => !removable.includes(name)))
}

async function draftFrame(
  frame: Frame,
  kept: DraftFrame['kept'],
  files: ReadonlyMap<string, Blob>,
  size: Size,
): Promise<DraftFrame> {
  const { placement, mask } = frame
  return {
    id: crypto.randomUUID(),
    corners: placement.kind === 'corners' ? placement.corners : null,
    aspectRatio: frame.aspectRatio,
    opacity: frame.opacity,
    mask: mask === null ? { kind: 'none' } : await keptMask(mask, files, size),
    kept,
  }
}

/** A mask that covers only a region counts as black outside it. */
async function keptMask(layer: Layer, files: ReadonlyMap<string, Blob>, size: Size): Promise<DraftMask> {
  const file = fileOf(files, layer.image)
  const { region } = layer
  if (region === null) return { kind: 'kept', layer: described(layer), picture: file }
  const canvas = new OffscreenCanvas(size.widthPx, size.heightPx)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a mask.')
  context.fillRect(0, 0, size.widthPx, size.heightPx)
  const bitmap = await createImageBitmap(file)
  context.drawImage(bitmap, region.x, region.y, region.width, region.height)
  bitmap.close()
  return { kind: 'kept', layer: described(layer), picture: await canvas.convertToBlob({ type: 'image/png' }) }
}

function described({ image, region }: Layer): DraftLayer {
  return region === null ? image : { image, region: [region.x, region.y, region.width, region.height] }
}

function fileOf(files: ReadonlyMap<string, Blob>, name: string): Blob {
  const file = files.get(name)
  if (file === undefined) throw new Error(`The bundle has no file ${name}.`)
  return file
}
