import type { ErrorDefinition } from './error-catalogue.ts'
import { limits } from './limits.ts'

/** All refusals of the service's own routes under `/dashboard`. See also error-catalogue.ts. */
export const dashboardErrorCatalogue = {
  MALFORMED_REQUEST: { status: 400, message: 'This request could not be read.' },
  INVALID_FIELD: { status: 400, message: 'The request is not as expected.' },
  REQUEST_TIMEOUT: { status: 408, message: 'This request did not arrive in time.' },
  CROSS_SITE: {
    status: 403,
    message: 'This request does not come from a page of this service.',
    hint: 'Open the dashboard at the address in PUBLIC_URL.',
  },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side.',
    hint: 'Try again; if it stays, send us the request id.',
  },

  TOO_MANY_CALLS: { status: 429, message: 'This account has asked for that too often in a short time.' },
  NOT_SIGNED_IN: { status: 401, message: 'You are not signed in.', hint: 'Sign in and try again.' },
  NOT_ALLOWED: { status: 403, message: 'Only an operator of this service may do that.' },
  SIGN_UP_CLOSED: {
    status: 403,
    message: 'This service makes no accounts by itself.',
    hint: 'Ask its operator for one.',
  },
  CODE_USED: {
    status: 401,
    message: 'This code was used before.',
    hint: 'Wait for the next one that the app shows.',
  },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts.' },
  BUSY: { status: 503, message: 'Too many people are signing in.', hint: 'Try again in a few seconds.' },
  PASSWORD_NEEDED: { status: 400, message: 'Type your password too.' },
  PASSWORD_COMMON: { status: 400, message: 'This password is among the most used ones: choose another.' },
  HAS_PASSWORD: { status: 409, message: 'This account has a password: change it instead.' },

  INVALID_EMAIL: { status: 400, message: 'This is not an e-mail address.' },
  EMAIL_TAKEN: { status: 409, message: 'There is an account with this address already.' },
  NOT_CONFIRMED: { status: 400, message: 'Type the address of the account to confirm.' },
  IS_OPERATOR: { status: 409, message: 'This cannot be done to an operator of this service.' },
  IS_OWNER: {
    status: 409,
    message: 'The owner of this service cannot be deleted: it would be left without an operator.',
  },
  IS_SUSPENDED: { status: 409, message: 'This account is suspended: restore it first.' },

  KEY_NOT_ROTATABLE: {
    status: 409,
    message: 'This key has expired or been revoked, or has already been replaced.',
    hint: 'Rotate that one, or create a new key.',
  },

  PROOF_QUOTA: {
    status: 409,
    message: 'This account has as many links as it may have.',
    hint: 'End some of them first.',
  },
  PROOF_FULL: { status: 409, message: 'This link takes no more answers.', hint: 'Write to the shop that sent it.' },
  NOT_A_PICTURE: { status: 400, message: 'This file is refused.' },
  TOO_MANY_VISITS: { status: 429, message: 'Too many requests came from this network.' },

  NO_SUCH_PACK: { status: 400, message: 'There is no pack with this number of credits.' },
  PAYMENT_UNAVAILABLE: {
    status: 502,
    message: 'The payment page could not be opened.',
    hint: 'Nothing was charged: try again.',
  },
  BAD_SIGNATURE: { status: 400, message: 'This event is not signed by Stripe for this service.' },
  NOT_PAID_YET: { status: 409, message: 'The payment of this refund has not been reported yet.' },
  CHARGE_CHANGES: { status: 409, message: 'The charge changed while it was read.' },

  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Expected a zip of a bundle.' },
  TOO_LARGE: {
    status: 413,
    message: `A bundle may have ${limits.bundleSizeBytesMax / 1024 / 1024} MB at most.`,
  },
  NOT_PHOTOSHOP: {
    status: 415,
    message: 'This is not a Photoshop file.',
    hint: 'Choose a PSD or PSB, as Photoshop saves it.',
  },
  PSD_TOO_LARGE: {
    status: 413,
    message: `A Photoshop file may have ${limits.psdSizeBytesMax / 1e6} MB at most.`,
    hint: 'Merge layers, or reduce the image size, and save again.',
  },
  TOO_MANY_PSD_IMPORTS: {
    status: 409,
    message: `An account has at most ${limits.psdImportsMax} Photoshop files that have not become a template yet.`,
    hint: 'Open or remove one of them first, on the page of the templates. They are removed after an hour.',
  },
  PSD_IMPORT_STATE: { status: 409, message: 'This import is not so far, or is being converted.' },
  TOO_MANY_IMPORTS: { status: 429, message: 'This account has imported too many templates in an hour.' },
  TEMPLATE_STORAGE_FULL: {
    status: 413,
    message: 'The templates of this account take all the storage that they may.',
    hint: 'Remove some. What was removed or replaced counts for an hour.',
  },
  TEMPLATE_TOO_COSTLY: {
    status: 400,
    message: 'This bundle takes too long to check.',
    hint: 'Make its pictures smaller. Nothing was imported.',
  },
  INVALID_TEMPLATE: { status: 400, message: 'This file is not a readable bundle.' },
  TEMPLATE_QUOTA: {
    status: 409,
    message: `An account has at most ${limits.privateTemplatesMax} templates of its own.`,
    hint: 'Remove one first, or save over one of yours.',
  },
  TEMPLATE_MARKS_FULL: {
    status: 409,
    message: 'This account has as many favourites and tags as it may have.',
    hint: 'Take some tags off first.',
  },
  TEMPLATE_ID_TAKEN: {
    status: 409,
    message: 'A shared template has this id.',
    hint: 'Change "id" in template.json.',
  },
} as const satisfies Record<string, Pick<ErrorDefinition, 'status' | 'message' | 'hint'>>

export type DashboardErrorCode = keyof typeof dashboardErrorCatalogue
