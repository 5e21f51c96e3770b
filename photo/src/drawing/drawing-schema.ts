import type { JsonSchema } from '@vitrine/engine/fields'
import { drawingField } from './drawing-fields.ts'

/** The JSON Schema (2020-12) of drawing.json, for text editors. `parseDrawing` checks more. */
export function buildDrawingSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vitrine drawing on a photo, format 1',
    description: 'The drawing.json of a template made from a photo. Coordinates are pixels of the photo.',
    ...drawingField.schema,
  }
}
