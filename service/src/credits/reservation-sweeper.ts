import type { Clock } from '../database/clock.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Wallet } from './wallet.ts'

/** Together with the 30 s after which a silent process counts as dead, well within the 60 s that are promised. */
const sweepEveryMs = 10_000

/** Gives back, all the time, what is past its time or was left by a dead process. Stop it with `stop`. */
export function startReservationSweeper(
  wallet: Wallet,
  options: { readonly clock?: Clock; readonly onError: (error: unknown) => void },
): PeriodicFlush {
  const clock = options.clock ?? Date.now
  return new PeriodicFlush(
    async () => {
      await wallet.sweep(clock())
    },
    sweepEveryMs,
    options.onError,
  )
}
