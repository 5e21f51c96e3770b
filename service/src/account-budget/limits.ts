/** Places for requests whose body arrives, for each place of the render queue: uploads take seconds. */
export const ARRIVING_PER_QUEUE_PLACE = 4

/**
 * Requests at once of an account that can spend nothing: their answer is a fault of the request, or 402. A
 * client that sends dozens at once on its last credits gets these answers, not 503.
 */
export const ARRIVING_PER_UNFUNDED_ACCOUNT = 32

/** Requests at once of all accounts together that can spend nothing. */
export const ARRIVING_UNFUNDED = 512

const MIB = 1024 * 1024

/** Bytes of bodies under way of an account with credits: a hundred of the largest artwork. */
export const RECEIVED_BYTES_PER_ACCOUNT = 2048 * MIB

/** Bytes of bodies under way of an account that can spend nothing. */
export const RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT = 64 * MIB

/** Bytes of bodies under way of all accounts: they lie in the data folder until their requests end. */
export const RECEIVED_BYTES = 8192 * MIB

/** Retry-After where a body of the account has to arrive first, in seconds. */
export const ARRIVING_RETRY_S = 1

/** The time in which the budget of unpaid processor time comes back, in milliseconds. */
export const UNPAID_WINDOW_MS = 600_000

/** Unpaid processor time above which an account leaves one render process to others: it is back in 10 s. */
export const DEBT_MS = 1000

/** How long an account is taken for one that can spend; every answer of the wallet renews it. */
export const FUNDED_FOR_MS = 60_000

/** How long it is taken for one that cannot: who buys credits does not wait. */
export const UNFUNDED_FOR_MS = 1000

/** Accounts whose credits are remembered, the longest unused forgotten first: some 100 bytes each. */
export const REMEMBERED_ACCOUNTS = 10_000

const MINUTE_S = 60
const HOUR_S = 3600

/** Calls of the dashboard by one account. A page makes up to ten calls, a bulk run one render at a time. */
export const dashboardCallLimits = {
  /** As a key's limit in a minute. */
  renders: { windowSeconds: MINUTE_S, limit: 100 },
  /** A key is made by hand: keys have rate limits of their own, so many keys are many requests. */
  keys: { windowSeconds: HOUR_S, limit: 30 },
  /** Each is a row here and a session at Stripe. */
  checkouts: { windowSeconds: HOUR_S, limit: 20 },
  /** Whole bundles as a zip, up to 200 MB each. */
  bundles: { windowSeconds: HOUR_S, limit: 60 },
  /** Files of templates, for previews and thumbnails: a gallery shows dozens. */
  files: { windowSeconds: MINUTE_S, limit: 1200 },
  /** Reduced previews that are made for the account that asks for one first: each is seconds of a process. */
  previews: { windowSeconds: HOUR_S, limit: 120 },
  /** Preview packs of older templates, made once for everybody: each is a second of a process. */
  packs: { windowSeconds: HOUR_S, limit: 600 },
  /** Packs for pages of other sites, made for the key that asks first: each is seconds of a process. */
  pagePacks: { windowSeconds: HOUR_S, limit: 300 },
  /** Sums over a year of an account. */
  usage: { windowSeconds: MINUTE_S, limit: 120 },
  /** Everything else that reads. */
  reads: { windowSeconds: MINUTE_S, limit: 600 },
  /** Everything else that changes something. */
  changes: { windowSeconds: MINUTE_S, limit: 120 },
} as const

/** A group of the dashboard's routes that are counted together. */
export type DashboardCallGroup = keyof typeof dashboardCallLimits
