/** What a check found, or what the page itself sees, as a list; each fault stands at its field too. */
import { Failure } from '../components/states.tsx'
import type { DraftFault } from './faults-of-draft.ts'
import type { Check } from './use-check.ts'

export function CheckResult({ check, faults }: { check: Check; faults: readonly DraftFault[] }) {
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
      <strong>All is well.</strong> The service will take this template as it is. Nothing was saved yet.
    </p>
  )
}

const isError = ({ severity }: DraftFault): boolean => severity === 'error'

/** The faults of one part of the page, under its heading. */
export function FieldFault({ message }: { message: string | undefined }) {
  return message === undefined ? null : <p className="field-error">{message}</p>
}
