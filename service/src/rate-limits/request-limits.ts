import type { Settings } from '../settings/load-settings.ts'
import type { RateLimit } from './rate-windows.ts'

const MINUTE_S = 60

const DAY_S = 86_400

/**
 * Per client address, for pictures by their URLs: a key makes 1,200 a minute in batches, and a shop fetches
 * them from few addresses.
 */
export const picturesPerAddress: readonly RateLimit[] = [{ windowSeconds: MINUTE_S, limit: 1200 }]

/** The limits of requests to the API. Every window of a subject counts every request. */
export type RequestLimits = {
  readonly perKey: readonly RateLimit[]
  /** Per client address, for requests without a valid key. */
  readonly perAddress: readonly RateLimit[]
}

export function buildRequestLimits(
  settings: Pick<Settings, 'RATE_LIMIT_PER_MINUTE' | 'RATE_LIMIT_PER_DAY' | 'RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE'>,
): RequestLimits {
  return {
    perKey: [
      { windowSeconds: MINUTE_S, limit: settings.RATE_LIMIT_PER_MINUTE },
      { windowSeconds: DAY_S, limit: settings.RATE_LIMIT_PER_DAY },
    ],
    perAddress: [{ windowSeconds: MINUTE_S, limit: settings.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE }],
  }
}
