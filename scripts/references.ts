import { buildErrorReference, buildOpenapi } from '../contract/src/index.ts'
import { buildSettingsReference } from '../service/src/settings/settings-reference.ts'

/** Every generated file of the repository with what makes its text. */
export const references: Readonly<Record<string, () => string>> = {
  'contract/openapi.json': () => `${JSON.stringify(buildOpenapi(), null, 2)}\n`,
  'docs/reference/errors.md': buildErrorReference,
  'docs/reference/configuration.md': buildSettingsReference,
}
