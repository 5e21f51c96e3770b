import type { JsonSchema } from './field.ts'
import { templateField } from './template.ts'

/** The JSON Schema (2020-12) of template.json, for text editors. `checkBundle` checks more. */
export function buildTemplateSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vitrine template, format 1',
    description: 'The template.json of a template bundle. Coordinates are pixels of the scene picture.',
    ...templateField.schema,
    oneOf: [
      { properties: { render_mode: { const: 'corners' }, ...framesWith('corners', 'uvmap') } },
      { properties: { render_mode: { const: 'uvmap' }, ...framesWith('uvmap', 'corners') } },
    ],
  }
}

function framesWith(required: string, forbidden: string): JsonSchema {
  return { frames: { items: { required: [required], properties: { [forbidden]: false } } } }
}
