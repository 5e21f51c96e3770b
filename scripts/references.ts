import { buildErrorReference, buildOpenapi } from '../contract/src/index.ts'
import { buildTemplateSchema } from '../engine/src/template/template-schema.ts'
import { buildDrawingSchema } from '../photo/src/drawing/drawing-schema.ts'
import { buildSettingsReference } from '../service/src/settings/settings-reference.ts'
import { buildElementTypes, buildPythonTypes, buildTypescriptEndings, buildTypescriptTypes } from './client-types.ts'

/** Every generated file of the repository with what makes its text. */
export const references: Readonly<Record<string, () => string>> = {
  'contract/openapi.json': () => `${JSON.stringify(buildOpenapi(), null, 2)}\n`,
  'docs/reference/errors.md': buildErrorReference,
  'docs/reference/template.schema.json': () => `${JSON.stringify(buildTemplateSchema(), null, 2)}\n`,
  'docs/reference/drawing.schema.json': () => `${JSON.stringify(buildDrawingSchema(), null, 2)}\n`,
  'docs/reference/configuration.md': buildSettingsReference,
  'client/src/contract-types.ts': buildTypescriptTypes,
  'client/src/endings.ts': buildTypescriptEndings,
  'embed/src/placement-fields.ts': buildElementTypes,
  'python/src/vitrine_client/_contract_types.py': buildPythonTypes,
}
