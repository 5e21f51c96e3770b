/** Downloads mockups as one zip, or as several if they are too large for one. */
import { useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { formatCount } from '../format.ts'
import { download } from '../visit/mockups.ts'
import type { StoredMockup } from '../visit/saved-work.ts'
import { zipBlobs } from '../zip-blobs.ts'
import { uniqueNames } from './mockup-names.ts'

/** The zip format used ends at 4 GB, and browsers hold the whole file in memory. */
const ZIP_BYTES_MAX = 1_500_000_000

/** `load`: the mockup's file, from this browser or the service. */
export type ZippedMockup = {
  readonly name: string
  readonly sizeBytes: number
  readonly load: () => Blob | Promise<Blob>
}

export const zippedOf = ({ name, blob }: StoredMockup): ZippedMockup => ({
  name,
  sizeBytes: blob.size,
  load: () => blob,
})

type ZipButtonsProps = {
  mockups: readonly ZippedMockup[]
  what?: string
  look?: 'primary' | 'quiet'
  isSmall?: boolean
}

export function ZipButtons({ mockups, what = '', look = 'primary', isSmall = false }: ZipButtonsProps) {
  const parts = partsOf(mockups)
  const [isMaking, setMaking] = useState(false)
  const save = async (part: readonly ZippedMockup[], name: string) => {
    setMaking(true)
    try {
      download(await zipBlobs(part.map(({ name, load }) => [name, load])), name)
      announce(`Made ${name}.`)
    } catch (failure) {
      announce(
        failure instanceof Error && failure.name === 'ApiError'
          ? `The zip could not be made. ${failure.message}`
          : 'The zip could not be made: this device has too little memory or space.',
      )
    } finally {
      setMaking(false)
    }
  }
  return parts.map((part, index) => (
    <Button
      key={part[0]?.name}
      look={look}
      className={isSmall ? 'button-small' : ''}
      aria-busy={isMaking}
      onClick={() => void save(part, parts.length === 1 ? 'mockups.zip' : `mockups-${index + 1}.zip`)}
    >
      Download {formatCount(part.length)} {what !== '' && `${what} `}
      {parts.length > 1 ? `(zip, part ${index + 1} of ${parts.length})` : '(zip)'}
    </Button>
  ))
}

function partsOf(mockups: readonly ZippedMockup[]): ZippedMockup[][] {
  const names = uniqueNames(mockups.map(({ name }) => name))
  const parts: ZippedMockup[][] = []
  let sizeBytes = Number.POSITIVE_INFINITY
  for (const [index, mockup] of mockups.entries()) {
    sizeBytes += mockup.sizeBytes
    if (sizeBytes > ZIP_BYTES_MAX) {
      parts.push([])
      sizeBytes = mockup.sizeBytes
    }
    parts.at(-1)?.push({ ...mockup, name: names[index] ?? mockup.name })
  }
  return parts
}
