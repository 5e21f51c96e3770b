import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSession } from '../session/session.ts'
import { mockupKeyOf } from '../visit/mockups.ts'
import { browserMockupsQuery } from '../visit/saved-work.ts'
import type { PlannedMockup } from './gallery-snippets.ts'

/** A moving pointer plans new mockups with every frame; they are looked up once it rests. */
const REST_MS = 250

/**
 * How many planned mockups this browser knows to be paid within the last day; the service does not charge
 * them again. 0 until known.
 */
export function usePaidToday(mockups: readonly PlannedMockup[]): number {
  const { account } = useSession()
  const inBrowser = useQuery(browserMockupsQuery(account.id)).data
  const paidKeys = useMemo(() => new Set(inBrowser?.map(({ key }) => key)), [inBrowser])
  const [known, setKnown] = useState<{ of: readonly PlannedMockup[]; keys: readonly string[] } | null>(null)
  useEffect(() => {
    // If nothing was ever paid for, no keys need to be computed.
    if (paidKeys.size === 0) return
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
  }, [mockups, paidKeys])
  return known?.of === mockups ? known.keys.filter(key => paidKeys.has(key)).length : 0
}
