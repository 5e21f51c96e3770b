import type { Clock } from '../database/clock.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Wallet } from './wallet.ts'

/** With the 30 s until a silent process counts as dead: within the 60 s that are promised. */
const SWEEP_EVERY_MS = 10_000

/** Periodically releases reservations that have expired or belong to dead processes. End it with `stop`. */
export function startReservationSweeper(
  wallet: Wallet,
  options: { readonly clock?: Clock; readonly onError: (error: unknown) => void },
): PeriodicFlush {
  const clock = options.clock ?? Date.now
  return new PeriodicFlush(
    async () => {
      await wallet.sweep(clock())
    },
    SWEEP_EVERY_MS,
    options.onError,
  )
}
