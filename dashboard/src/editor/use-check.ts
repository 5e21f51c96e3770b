/** Checks a draft in this browser, as saving would. Nothing is sent or stored. */
import { WorkerChannel } from '@vitrine/live'
import { useState } from 'react'
import { asError } from '../as-error.ts'
import { announceUnseen } from '../components/announcer.tsx'
import type { CheckCalls } from '../preview/check-worker.ts'
import { type DraftFault, faultOfBundle } from './faults-of-draft.ts'

export type Check =
  | { readonly state: 'none' | 'checking' }
  | { readonly state: 'checked'; readonly faults: readonly DraftFault[] }
  | { readonly state: 'failed'; readonly error: Error }

/** The check of exactly this draft: a change discards its result. `open` and `bundle` as for saving. */
export function useCheck(
  draft: object,
  open: readonly DraftFault[],
  bundle: () => Promise<ReadonlyMap<string, Blob>>,
): { check: Check; run: () => Promise<void> } {
  const [last, setLast] = useState<{ draft: object; check: Check } | null>(null)
  const run = async () => {
    const tell = (check: Check) => setLast({ draft, check })
    tell({ state: 'checking' })
    try {
      // No bundle can be made from an unfinished draft.
      const faults = open.length > 0 ? open : await faultsOfBundle(await bundle())
      tell({ state: 'checked', faults })
      announceUnseen(faults.length === 0 ? 'Ready to save.' : faults.map(({ message }) => message).join(' '))
    } catch (failure) {
      tell({ state: 'failed', error: asError(failure) })
    }
  }
  return { check: last?.draft === draft ? last.check : { state: 'none' }, run }
}

async function faultsOfBundle(files: ReadonlyMap<string, Blob>): Promise<DraftFault[]> {
  const worker = new Worker(new URL('../preview/check-worker.ts', import.meta.url), { type: 'module' })
  const channel = new WorkerChannel<CheckCalls>(worker, 'The check could not start in this browser: reload the page.')
  return (await channel.askOnce('check', files)).map(faultOfBundle)
}
