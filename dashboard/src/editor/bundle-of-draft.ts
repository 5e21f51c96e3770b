/**
 * Builds a bundle of format 1 from a draft: template.json, scene, masks, overlays, and what is retained of
 * the previous bundle.
 */
import { type Draft, type DraftMask, ratioOf } from './draft.ts'
import { maskPicture } from './mask-picture.ts'

const endings: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }

const rounded = (value: number): number => Number(value.toFixed(3))

/** The files of the bundle. Throws if a picture is of a type that a bundle can't have. */
export async function bundleOfDraft(draft: Draft): Promise<Map<string, Blob>> {
  const files = new Map(draft.keptFiles)
  const add = (stem: string, picture: Blob): string => {
    const ending = endings[picture.type]
    if (ending === undefined)
      throw new Error(`Expected a JPEG, PNG or WebP but received ${picture.type || 'a file of an unknown type'}.`)
    let name = `${stem}.${ending}`
    for (let number = 2; files.has(name); number++) name = `${stem}-${number}.${ending}`
    files.set(name, picture)
    return name
  }
  const scene = draft.photoName ?? add('scene', draft.photo)
  files.set(scene, draft.photo)
  const frames = []
  for (const [index, frame] of draft.frames.entries()) {
    const mask = await maskLayer(frame.mask, draft, 'hidden', picture => add(`frame-${index}-mask`, picture))
    const { corners } = frame
    frames.push({
      ...frame.kept,
      aspect_ratio: Number(ratioOf(frame, draft).toFixed(5)),
      ...(corners === null ? {} : { corners: corners.map(([x, y]) => [rounded(x), rounded(y)]) }),
      opacity: frame.opacity,
      ...(mask === null ? {} : { mask }),
    })
  }
  const colors = []
  for (const { name, default: color, mask, suggestions, kept } of draft.areas) {
    const layer = await maskLayer(mask, draft, 'seen', picture => add(`${name}-mask`, picture))
    colors.push({ ...kept, name, default: color, ...(layer === null ? {} : { mask: layer }), suggestions })
  }
  const overlays = draft.overlays.map(({ picture, layer, blendingMode, opacity }, index) => ({
    image: layer ?? add(`overlay-${index}`, picture),
    blending_mode: blendingMode,
    opacity,
  }))
  const manifest = {
    ...draft.kept,
    format: 1,
    id: draft.id,
    name: draft.name.trim(),
    category: draft.category.trim(),
    type: draft.type,
    surface_type: draft.type === 'product' && draft.surfaceType.trim() !== '' ? draft.surfaceType.trim() : null,
    render_mode: draft.frames.some(({ corners }) => corners === null) ? 'uvmap' : 'corners',
    blending_mode: draft.blendingMode,
    scene,
    frames,
    ...(colors.length === 0 ? {} : { colors }),
    ...(overlays.length === 0 ? {} : { overlays }),
    ...(draft.thumbnail === null ? {} : { thumbnail: draft.thumbnail }),
  }
  files.set('template.json', new Blob([JSON.stringify(manifest, null, 2)], { type: 'application/json' }))
  return files
}

async function maskLayer(
  mask: DraftMask,
  draft: Draft,
  polygons: 'hidden' | 'seen',
  add: (picture: Blob) => string,
): Promise<unknown> {
  if (mask.kind === 'kept') return mask.layer
  const picture = await maskPicture(mask, draft, polygons)
  return picture === null ? null : add(picture)
}
