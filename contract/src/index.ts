export { type BalanceResource, balance, type UsageResource, usageStatistics } from './billing.ts'
export {
  type CreatedKey,
  type CreditPack,
  type Credits,
  createdKeySchema,
  creditPacks,
  creditsSchema,
  type DashboardAccount,
  type DashboardKey,
  type DashboardSession,
  type DashboardTemplate,
  type DashboardUsage,
  type Door,
  dashboardAccountSchema,
  dashboardKeySchema,
  dashboardSessionSchema,
  dashboardTemplateSchema,
  dashboardUsageSchema,
  doorSchema,
  grantSchema,
  type Invitation,
  invitationSchema,
  type KeyList,
  keyListSchema,
  type Movement,
  type MovementFilter,
  type MovementOrder,
  movementFilterSchema,
  movementOrderSchema,
  movementSchema,
  newAccountSchema,
  newKeySchema,
  type OpenSession,
  openSessionsSchema,
} from './dashboard.ts'
export { endpoints, errorsOutsideEndpoints } from './endpoints.ts'
export { type ErrorBody, errorBodySchema } from './error-body.ts'
export {
  type ErrorCode,
  type ErrorDefinition,
  errorCatalogue,
  errorCodes,
  errorDefinition,
  isErrorCode,
} from './error-catalogue.ts'
export { buildErrorReference } from './error-reference.ts'
export { batchResult, generationResult, type ResponseFormat, responseFormats } from './generation-result.ts'
export { headersOfEveryAnswer, type ResponseHeader, responseHeaders } from './headers.ts'
export { limits } from './limits.ts'
export { buildOpenapi, errorSchemaName } from './openapi.ts'
export { isOutputFormat, labelFormats, type OutputFormat, outputFormatNames, outputFormats } from './output-formats.ts'
export {
  defaults,
  generateParameters,
  type Parameter,
  templateListParameters,
  usageParameters,
} from './parameters.ts'
export { pagination, type TemplateListResource, type TemplateResource, template, templateList } from './template.ts'
