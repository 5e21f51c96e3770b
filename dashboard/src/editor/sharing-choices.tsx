import { useSession } from '../session/session.ts'
import { type Shareable, sharesBundle, withBundleShared } from './draft.ts'

type SharingChoicesProps<Shared extends Shareable> = {
  draft: Shared
  onChange: (change: (draft: Shared) => Shared, gesture: string) => void
}

/** Whether every account has the template, and its bundle; for operators. */
export function SharingChoices<Shared extends Shareable>({ draft, onChange }: SharingChoicesProps<Shared>) {
  const { account } = useSession()
  const isNew = draft.templateId === null
  if (account.role !== 'operator') return null
  return (
    <>
      {isNew && (
        <label className="check">
          <input
            type="checkbox"
            checked={draft.shared}
            onChange={event => {
              const shared = event.currentTarget.checked
              onChange(before => ({ ...before, shared }), 'shared')
            }}
          />
          Share with every account
        </label>
      )}
      {(draft.shared || !isNew) && (
        <label className="check">
          <input
            type="checkbox"
            checked={sharesBundle(draft)}
            onChange={event => {
              const { checked } = event.currentTarget
              onChange(before => withBundleShared(before, checked), 'share bundle')
            }}
          />
          Let customers download the whole bundle
        </label>
      )}
    </>
  )
}
