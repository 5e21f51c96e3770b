/** Places for arriving requests per place of the render queue, since uploads take seconds. */
export const ARRIVING_PER_QUEUE_PLACE = 4

/**
 * Concurrent requests of an account without credits: they end with the request's own error, or 402. A client
 * that sends dozens at once on its last credits gets these answers, not 503.
 */
export const ARRIVING_PER_UNFUNDED_ACCOUNT = 32

/** Concurrent requests of all accounts without credits together. */
export const ARRIVING_UNFUNDED = 512

const MIB = 1024 * 1024

/** Bytes of bodies in progress of an account with credits: a hundred of the largest artwork. */
export const RECEIVED_BYTES_PER_ACCOUNT = 2048 * MIB

/** Bytes of bodies in progress of an account without credits. */
export const RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT = 64 * MIB

/** Bytes of bodies in progress of all accounts. They are in the data folder until their requests end. */
export const RECEIVED_BYTES = 8192 * MIB

/** Retry-After in seconds while the account's other bodies are arriving. */
export const ARRIVING_RETRY_S = 1

/** The time in which the budget of unpaid processor time is fully restored, in milliseconds. */
export const UNPAID_WINDOW_MS = 600_000

/** Unpaid processor time above which an account leaves one render process to others; restored in 10 s. */
export const DEBT_MS = 1000

/** How long an account is assumed to have credits; every answer of the wallet renews it. */
export const FUNDED_FOR_MS = 60_000

/** How long an account is assumed to have none. Short, so that new credits take effect at once. */
export const UNFUNDED_FOR_MS = 1000

/** Accounts whose credits are cached, least recently used evicted first: some 100 bytes each. */
export const REMEMBERED_ACCOUNTS = 10_000

const MINUTE_S = 60
const HOUR_S = 3600

/** Limits of dashboard calls per account. A page makes up to ten calls, a bulk run one render at a time. */
export const dashboardCallLimits = {
  /** Equal to a key's limit per minute. */
  renders: { windowSeconds: MINUTE_S, limit: 100 },
  /** Keys are made by people. Each key has rate limits of its own, so many keys allow many requests. */
  keys: { windowSeconds: HOUR_S, limit: 30 },
  /** Each adds a row here and a session at Stripe. */
  checkouts: { windowSeconds: HOUR_S, limit: 20 },
  /** Whole bundles as a zip, up to 200 MB each. */
  bundles: { windowSeconds: HOUR_S, limit: 60 },
  /** Files of templates, for previews and thumbnails: a gallery shows dozens. */
  files: { windowSeconds: MINUTE_S, limit: 1200 },
  /** Reduced previews, counted for the account that first requests one: each takes seconds of a process. */
  previews: { windowSeconds: HOUR_S, limit: 120 },
  /** Preview packs of older templates, made once for everyone: each takes a second of a process. */
  packs: { windowSeconds: HOUR_S, limit: 600 },
  /** Packs for pages of other sites, counted for the key that first requests one: each takes seconds. */
  pagePacks: { windowSeconds: HOUR_S, limit: 300 },
  /** Sums over a year of an account. */
  usage: { windowSeconds: MINUTE_S, limit: 120 },
  /** All other reads. */
  reads: { windowSeconds: MINUTE_S, limit: 600 },
  /** All other changes. */
  changes: { windowSeconds: MINUTE_S, limit: 120 },
} as const

/** A group of the dashboard's routes with a common limit. */
export type DashboardCallGroup = keyof typeof dashboardCallLimits
