import type { ReactNode } from 'react'
import { Button } from '../../components/controls.tsx'
import type { Finding } from './use-finding.ts'

type FindToolsProps = { finding: Finding; isOff: boolean; children?: ReactNode }

/** Searches for frames, and dismisses those that were found. `children`: other ways to make one. */
export function FindTools({ finding, isOff, children }: FindToolsProps) {
  const isOffering = finding.found.length > 0
  return (
    <>
      {isOffering && (
        <Button className="button-small" look="primary" onClick={finding.end}>
          Done
        </Button>
      )}
      {children}
      {!isOffering && (
        <Button
          className="button-small"
          disabled={isOff}
          aria-busy={finding.isLooking}
          onClick={() => void finding.look()}
        >
          {finding.isLooking ? 'Looking…' : 'Find frames'}
        </Button>
      )}
    </>
  )
}
