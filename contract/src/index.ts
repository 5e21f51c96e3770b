export { type BalanceResource, balance, type UsageResource, usageStatistics } from './billing.ts'
export { type ColorAreaResource, colorArea, hexColor } from './color.ts'
export * from './dashboard.ts'
export { type DashboardErrorCode, dashboardErrorCatalogue } from './dashboard-error-catalogue.ts'
export * from './dashboard-keys.ts'
export * from './dashboard-money.ts'
export * from './dashboard-templates.ts'
export { emailAddressSchema } from './email-address.ts'
export { type AnswerOf, embedEndpoint, endpoints, errorsOutsideEndpoints } from './endpoints.ts'
export { type ErrorBody, errorBodySchema } from './error-body.ts'
export {
  type ArtworkFetchFailure,
  type ErrorCode,
  type ErrorDefinition,
  errorCatalogue,
  errorCodes,
  errorDefinition,
  isErrorCode,
} from './error-catalogue.ts'
export { buildErrorReference } from './error-reference.ts'
export {
  batchResult,
  generationResult,
  type ResponseFormat,
  responseFormats,
  type ShownArtwork,
} from './generation-result.ts'
export { buildChapters, buildGuide, SAMPLE_ARTWORK_PATH } from './guide/chapters.ts'
export {
  headersOfEveryAnswer,
  MADE_KEY_PREFIX,
  type ResponseHeader,
  responseHeaders,
  TEMPLATE_HEADER,
} from './headers.ts'
export { type KeyScope, keyScopeSchema, keyScopes } from './key-scopes.ts'
export { limits } from './limits.ts'
export * from './mockups.ts'
export { buildOpenapi, errorSchemaName } from './openapi.ts'
export { isOutputFormat, labelFormats, type OutputFormat, outputFormatNames, outputFormats } from './output-formats.ts'
export type { Parameter } from './parameter.ts'
export { defaults, generateParameters, templateListParameters, usageParameters } from './parameters.ts'
export { PART_NAME } from './part-name.ts'
export {
  type Placement,
  type PlacementField,
  placementDefaults,
  placementFields,
  wholePlacementSchema,
} from './placement.ts'
export { placementChoices, placementRanges } from './placement-ranges.ts'
export { buildPostmanCollection } from './postman.ts'
export * from './proofs.ts'
export * from './psd-import.ts'
export {
  type FrameResource,
  pagination,
  type TemplateResource,
  template,
  templateList,
} from './template.ts'
