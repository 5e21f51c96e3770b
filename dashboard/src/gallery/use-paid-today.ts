import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSession } from '../session/session.ts'
import { mockupKeyOf } from '../visit/mockups.ts'
import { keptMockupsQuery } from '../visit/saved-work.ts'
import type { PlannedMockup } from './gallery-snippets.ts'

/** A pointer that moves artwork plans other mockups with each picture: they are looked up when it rests. */
const REST_MS = 250

/**
 * How many of the planned mockups were paid for within the day, as far as this browser knows: the service
 * does not charge them again. 0 until it is known.
 */
export function usePaidToday(mockups: readonly PlannedMockup[]): number {
  const { account } = useSession()
  const kept = useQuery(keptMockupsQuery(account.id)).data
  const keptKeys = useMemo(() => new Set(kept?.map(({ key }) => key)), [kept])
  const [known, setKnown] = useState<{ of: readonly PlannedMockup[]; keys: readonly string[] } | null>(null)
  useEffect(() => {
    // What was never paid needs no key.
    if (keptKeys.size === 0) return
    let isLeft = false
    const timer = setTimeout(() => {
      Promise.all(mockups.map(({ template, work }) => mockupKeyOf(template, work))).then(
        keys => isLeft || setKnown({ of: mockups, keys }),
        () => undefined,
      )
    }, REST_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [mockups, keptKeys])
  return known?.of === mockups ? known.keys.filter(key => keptKeys.has(key)).length : 0
}
