import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Wallet } from './wallet.ts'

/** With the 30 s until a silent process counts as dead: within the 60 s that are promised. */
const SWEEP_EVERY_MS = 10_000

/** Periodically releases reservations that have expired or belong to dead processes. End it with `stop`. */
export function startReservationSweeper(
  wallet: Wallet,
  { onError }: { readonly onError: (error: unknown) => void },
): PeriodicFlush {
  return new PeriodicFlush(() => wallet.sweep(Date.now()), SWEEP_EVERY_MS, onError)
}
