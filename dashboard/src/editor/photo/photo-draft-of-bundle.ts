/** Opens a template that was made from a photo, with its drawing. */
import { parseTemplate } from '@vitrine/engine'
import { DRAWING_FILE, draftOfDrawing } from './drawing-of-draft.ts'
import type { PhotoDraft } from './photo-draft.ts'
import { startPhotoWorker } from './photo-worker-client.ts'

/** Fields of template.json that are made from the photo and its drawing. */
const madeFields = [
  'format',
  'id',
  'name',
  'category',
  'type',
  'surface_type',
  'render_mode',
  'scene',
  'tone',
  'drawing',
  'colors',
  'frames',
  'overlays',
  'thumbnail',
]

export async function photoDraftOfBundle(files: ReadonlyMap<string, Blob>): Promise<PhotoDraft> {
  const read = async (name: string): Promise<unknown> => JSON.parse((await files.get(name)?.text()) ?? 'null')
  const description = await read('template.json')
  const { id, name, category } = parseTemplate(description)
  const photo = await photoOf(files)
  const bitmap = await createImageBitmap(photo)
  const size = [bitmap.width, bitmap.height] as const
  bitmap.close()
  return {
    from: 'photo',
    id,
    isNew: false,
    photo,
    name,
    category,
    ...draftOfDrawing(await read(DRAWING_FILE), ...size),
    sample: 'sample',
    shared: false,
    kept: Object.fromEntries(Object.entries(Object(description)).filter(([field]) => !madeFields.includes(field))),
  }
}

/** The photo is its template's mockup of clear artwork, within 1/255. */
function photoOf(files: ReadonlyMap<string, Blob>): Promise<Blob> {
  return startPhotoWorker().askOnce('recover', files)
}
