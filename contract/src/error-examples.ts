import type { ErrorBody } from './error-body.ts'
import { type ErrorCode, errorDefinition } from './error-catalogue.ts'

/** What an example of a code has in addition to the catalogue's entry. */
const specifics: {
  readonly [Code in ErrorCode]?: { readonly error?: string; readonly details?: ErrorBody['details'] }
} = {
  ADDRESS_NOT_ALLOWED: { details: { address: '203.0.113.7' } },
  ORIGIN_NOT_ALLOWED: { details: { origin: 'https://other-shop.example' } },
  INSUFFICIENT_SCOPE: { details: { required: 'render', scopes: ['read'] } },
  INSUFFICIENT_CREDITS: { details: { required_cents: 3, balance_cents: 1 } },
  TOO_MANY_TEMPLATES: { details: { max: 12, received: 13 } },
  CONFLICTING_PARAMETERS: {
    error: 'Expected template_id or template_ids but received both.',
    details: { parameters: ['template_id', 'template_ids'] },
  },
  INVALID_PARAMETER: {
    error: 'Expected an integer from 1 to 4000 for width but received 5000.',
    details: { parameter: 'width', received: 5000, allowed: 'an integer from 1 to 4000' },
  },
  INVALID_FRAME_INDEX: { details: { invalid_frames: ['2'], frame_count: 2 } },
  TEMPLATE_NOT_FOUND: { details: { missing_template_ids: ['no-such-template'] } },
  ARTWORK_FETCH_FAILED: { details: { reason: 'bad_status', status: 403 } },
  INVALID_ARTWORK: { details: { reason: 'too_many_pixels' } },
  RATE_LIMIT_EXCEEDED: { details: { limit: 100, window: '60s', retry_after: 12 } },
  INTERNAL_ERROR: { details: { request_id: 'req_01JD6Z3W8Q5T7N2K4M9C' } },
}

/** An example of an answer with this code, for the documentation. */
export function errorExample(code: ErrorCode): ErrorBody {
  const { message, hint } = errorDefinition(code)
  const { error = message, details } = specifics[code] ?? {}
  return { error, code, ...(details === undefined ? {} : { details }), ...(hint === undefined ? {} : { hint }) }
}
