/** The client's own types against those of the contract: a difference does not compile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BalanceResource,
  type ErrorCode as ContractErrorCode,
  type Placement as ContractPlacement,
  type errorCatalogue,
  generateParameters,
  limits,
  MADE_KEY_PREFIX,
  type OutputFormat,
  type TemplateResource,
  type UsageResource,
} from '@vitrine/contract'
import type { z } from 'zod'
import { splitTemplates } from '../src/bulk/tasks.ts'
import type { Balance, ErrorDetails, Format, Placement, ServiceErrorCode, Template, Usage } from '../src/index.ts'

/** Fails to compile unless each of both can stand for the other. */
type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T
type Same<A, B> = [Mutable<A>] extends [Mutable<B>] ? ([Mutable<B>] extends [Mutable<A>] ? true : never) : never

/** With every field, as the contract has it once the defaults are known. */
type Whole<T> = { [Key in keyof T]-?: NonNullable<T[Key]> }

type Catalogue = typeof errorCatalogue
type CatalogueDetails = {
  [Code in ContractErrorCode as Catalogue[Code] extends { details: z.core.$ZodType }
    ? Code
    : never]: Catalogue[Code] extends {
    details: infer Details extends z.core.$ZodType
  }
    ? z.infer<Details> | (Catalogue[Code] extends { areDetailsOptional: true } ? undefined : never)
    : never
}

test('the types of the client are those of the contract', () => {
  const same: readonly [
    Same<Template, TemplateResource>,
    Same<Balance, BalanceResource>,
    Same<Usage, UsageResource>,
    Same<Whole<Placement>, Whole<ContractPlacement>>,
    Same<ServiceErrorCode, ContractErrorCode>,
    Same<keyof ErrorDetails, keyof CatalogueDetails>,
    Same<ErrorDetails, CatalogueDetails>,
    Same<Format, OutputFormat>,
  ] = [true, true, true, true, true, true, true, true]
  assert.ok(same.every(Boolean))
})

test('every field of a request is one of the client’s', () => {
  // Options of the client are the fields' names; templates and artwork have names of their own.
  const named = ['template_id', 'template_ids', 'artwork_url', 'artwork_urls', 'response_format']
  const output = ['placement', 'placements', 'colors', 'format', 'quality', 'width']
  assert.deepEqual(Object.keys(generateParameters).sort(), [...named, ...output].sort())
})

test('made keys begin as the service expects, and requests have as many templates as it takes', () => {
  const tasks = splitTemplates(Array.from({ length: limits.batchTemplatesMax + 1 }, (_, i) => `t${i}`))
  assert.deepEqual(
    tasks.map(({ templates }) => templates.length),
    [limits.batchTemplatesMax, 1],
  )
  assert.ok(
    tasks.every(({ key }) => key.startsWith(MADE_KEY_PREFIX) && key.length < limits.idempotencyKeyCharactersMax),
  )
})
