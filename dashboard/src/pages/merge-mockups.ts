/** Merges the mockups that the service stores with those that only this browser still has. */
import type { StoredMockupResource } from '@vitrine/contract'
import { type StoredMockup, storedMockupId } from '../visit/saved-work.ts'

export type ShownMockup = {
  /** Equal for the same picture with the same name. */
  readonly id: string
  /** The service's id; null if it is only in this browser. */
  readonly storedId: string | null
  readonly hasThumbnail: boolean
  readonly name: string
  readonly artwork: string
  readonly run: string
  readonly sizeBytes: number
  readonly madeAtMs: number
  /** The mockup in this browser, if it has it. */
  readonly inBrowser: StoredMockup | null
}

export type MockupRun = {
  readonly run: string
  readonly mockups: readonly ShownMockup[]
  readonly byArtwork: readonly (readonly [artwork: string, mockups: readonly ShownMockup[]])[]
}

type MergedFrom = {
  /** Newest first. `isWhole`: the list is complete. */
  readonly stored: readonly StoredMockupResource[]
  readonly isWhole: boolean
  readonly inBrowser: readonly StoredMockup[]
  readonly search: string
}

/** Newest first. Mockups that only this browser has are included as far back as the service's list goes. */
export function mergeMockups({ stored, isWhole, inBrowser, search }: MergedFrom): ShownMockup[] {
  const byId = new Map(inBrowser.map(mockup => [storedMockupId(mockup), mockup]))
  const shown = stored.map(
    (mockup): ShownMockup => ({
      id: storedMockupId(mockup),
      storedId: mockup.id,
      hasThumbnail: mockup.has_thumbnail,
      name: mockup.name,
      artwork: mockup.artwork,
      run: mockup.run,
      sizeBytes: mockup.size_bytes,
      madeAtMs: Date.parse(mockup.made_at),
      inBrowser: byId.get(storedMockupId(mockup)) ?? null,
    }),
  )
  const known = new Set(shown.map(({ id }) => id))
  const sinceMs = isWhole ? 0 : (shown.at(-1)?.madeAtMs ?? Number.POSITIVE_INFINITY)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const ofBrowser = inBrowser.filter(mockup => {
    const text = `${mockup.name} ${mockup.artwork} ${mockup.templateId}`.toLowerCase()
    const isFound = words.every(word => text.includes(word))
    return isFound && mockup.madeAtMs >= sinceMs && !known.has(storedMockupId(mockup))
  })
  const more = ofBrowser.map((mockup): ShownMockup => {
    const { name, artwork, run, blob, madeAtMs } = mockup
    const id = storedMockupId(mockup)
    return {
      id,
      storedId: null,
      hasThumbnail: false,
      name,
      artwork,
      run,
      sizeBytes: blob.size,
      madeAtMs,
      inBrowser: mockup,
    }
  })
  return [...shown, ...more].toSorted((a, b) => b.madeAtMs - a.madeAtMs)
}

/** Grouped by run, and by artwork within a run, in the order in which they come. */
export function groupByRun(mockups: readonly ShownMockup[]): MockupRun[] {
  return [...Map.groupBy(mockups, ({ run }) => run)].map(([run, of]) => ({
    run,
    mockups: of,
    byArtwork: [...Map.groupBy(of, ({ artwork }) => artwork)],
  }))
}
