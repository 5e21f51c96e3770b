/** The faults that a check or the page itself has found, as a list; each is also shown at its field. */
import { useEffect, useRef } from 'react'
import { Failure } from '../components/states.tsx'
import type { DraftFault } from './faults-of-draft.ts'
import type { Check } from './use-check.ts'

type CheckResultProps = {
  check: Check
  faults: readonly DraftFault[]
  /** Warnings that do not prevent saving. */
  remarks: readonly string[]
}

export function CheckResult(props: CheckResultProps) {
  const place = useRef<HTMLDivElement>(null)
  const { state } = props.check
  // On a phone, the button is a screen away.
  useEffect(() => {
    if (state !== 'none') place.current?.scrollIntoView({ block: 'nearest' })
  }, [state])
  return (
    <div ref={place} className="check-result">
      <Finding {...props} />
      {props.remarks.length > 0 && (
        <ul className="notice notice-list" aria-label="Remarks on the photo">
          {props.remarks.map(remark => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Finding({ check, faults }: CheckResultProps) {
  if (check.state === 'failed') return <Failure error={check.error} />
  if (check.state === 'checking')
    return (
      <p className="notice" role="status">
        Checking every field and picture…
      </p>
    )
  if (faults.length > 0)
    return (
      <ul className="notice notice-list" aria-label={faults.some(isError) ? 'To do before saving' : 'Remarks'}>
        {faults.map(({ message, place }) => (
          <li key={`${place} ${message}`}>{message}</li>
        ))}
      </ul>
    )
  if (check.state === 'none') return null
  return (
    <p className="notice" role="status">
      <strong>Ready to save.</strong> The service will take this template as it is. Nothing was saved yet.
    </p>
  )
}

const isError = ({ severity }: DraftFault): boolean => severity === 'error'

/** The faults of one part of the page, under its heading. */
export function FieldFault({ message }: { message: string | undefined }) {
  return message === undefined ? null : <p className="field-error">{message}</p>
}
