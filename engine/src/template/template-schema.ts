import type { JsonSchema } from './field.ts'
import { OPERATION_SCHEMA, operationSchema } from './stack-fields.ts'
import { templateField } from './template.ts'

/** The JSON Schema (2020-12) of template.json, for text editors. `checkBundle` checks more. */
export function buildTemplateSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vitrine template, format 1',
    description: 'The template.json of a template bundle. Coordinates are pixels of the scene picture.',
    ...templateField.schema,
    oneOf: [
      { properties: { render_mode: { const: 'corners' }, frames: { items: byCorners } } },
      {
        properties: {
          render_mode: { const: 'uvmap' },
          frames: { items: { oneOf: [byCorners, byMap] }, contains: byMap },
        },
      },
    ],
    $defs: { [OPERATION_SCHEMA]: operationSchema },
  }
}

const byCorners: JsonSchema = { required: ['corners'], properties: { uvmap: false } }
const byMap: JsonSchema = { required: ['uvmap'], properties: { corners: false } }
