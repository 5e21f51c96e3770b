import { useQuery } from '@tanstack/react-query'
import { Check } from '../components/controls.tsx'
import { SharingWords, TemplateSharing } from '../components/template-sharing.tsx'
import { templateQuery } from '../queries/templates-query.ts'
import { useSession } from '../session/session.ts'
import { type Shareable, sharesBundle, withBundleShared } from './draft.ts'

type SharingChoicesProps<Shared extends Shareable> = {
  draft: Shared
  onChange: (change: (draft: Shared) => Shared, gesture: string) => void
}

/**
 * Whether a template is private or shared. Operators choose it: for a new one before it is saved, for a saved
 * one at once; and whether customers may have the bundle of a shared one.
 */
export function SharingChoices<Shared extends Shareable>(props: SharingChoicesProps<Shared>) {
  return props.draft.isNew ? <NewSharing {...props} /> : <SavedSharing {...props} />
}

function NewSharing<Shared extends Shareable>({ draft, onChange }: SharingChoicesProps<Shared>) {
  const { account } = useSession()
  if (account.role !== 'operator') return <SharingWords isShared={false} />
  return (
    <div className="stack-small">
      <ShareCheck checked={draft.shared} onChecked={shared => onChange(before => ({ ...before, shared }), 'shared')} />
      {draft.shared && <BundleCheck draft={draft} onChange={onChange} />}
    </div>
  )
}

function SavedSharing<Shared extends Shareable>({ draft, onChange }: SharingChoicesProps<Shared>) {
  const { data: template } = useQuery(templateQuery(draft.id))
  if (template === undefined) return null
  return (
    <div className="stack-small">
      <TemplateSharing template={template} />
      {template.owner === 'shared' && <BundleCheck draft={draft} onChange={onChange} />}
    </div>
  )
}

type ShareCheckProps = { checked?: boolean; onChecked?: (checked: boolean) => void; name?: string }

/** An operator's choice for a template that is not saved yet. */
export function ShareCheck({ checked, onChecked, name }: ShareCheckProps) {
  return (
    <Check name={name} checked={checked} onChecked={shared => onChecked?.(shared)}>
      Share with every account: all of them see it and may render it. Otherwise it is private.
    </Check>
  )
}

function BundleCheck<Shared extends Shareable>({ draft, onChange }: SharingChoicesProps<Shared>) {
  return (
    <Check
      checked={sharesBundle(draft)}
      onChecked={checked => onChange(before => withBundleShared(before, checked), 'share bundle')}
    >
      Let customers download the whole bundle
    </Check>
  )
}
