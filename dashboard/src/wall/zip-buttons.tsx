/** Downloads mockups as one zip, or as several where they are too large for one. */
import { useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { formatCount } from '../format.ts'
import type { KeptMockup } from '../kept-work.ts'
import { download } from '../mockups.ts'
import { zipBlobs } from '../zip-blobs.ts'
import { uniqueNames } from './mockup-names.ts'

/** Zips of this kind end at 4 GB, and browsers hold a whole one. */
const ZIP_BYTES_MAX = 1_500_000_000

type Named = readonly [name: string, blob: Blob]
type ZipButtonsProps = { mockups: readonly KeptMockup[]; what?: string; look?: 'primary' | 'quiet' }

export function ZipButtons({ mockups, what = '', look = 'primary' }: ZipButtonsProps) {
  const parts = partsOf(mockups)
  const [isMaking, setMaking] = useState(false)
  const save = async (part: readonly Named[], name: string) => {
    setMaking(true)
    try {
      download(await zipBlobs(part), name)
      announce(`Made ${name}.`)
    } catch {
      announce('The zip could not be made: this device has too little memory or space.')
    } finally {
      setMaking(false)
    }
  }
  return parts.map((part, index) => (
    <Button
      key={part[0]?.[0]}
      look={look}
      aria-busy={isMaking}
      onClick={() => void save(part, parts.length === 1 ? 'mockups.zip' : `mockups-${index + 1}.zip`)}
    >
      Download {formatCount(part.length)} {what !== '' && `${what} `}
      {parts.length > 1 ? `(zip, part ${index + 1} of ${parts.length})` : '(zip)'}
    </Button>
  ))
}

function partsOf(mockups: readonly KeptMockup[]): Named[][] {
  const names = uniqueNames(mockups.map(({ name }) => name))
  const parts: Named[][] = []
  let sizeBytes = Number.POSITIVE_INFINITY
  for (const [index, { blob, name }] of mockups.entries()) {
    sizeBytes += blob.size
    if (sizeBytes > ZIP_BYTES_MAX) {
      parts.push([])
      sizeBytes = blob.size
    }
    parts.at(-1)?.push([names[index] ?? name, blob])
  }
  return parts
}
