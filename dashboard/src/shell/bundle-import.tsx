/** Imports a bundle that is chosen, dropped or pasted on any page, and shows all its faults. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Check } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useDroppedFiles } from '../components/file-drops.tsx'
import { Failure } from '../components/states.tsx'
import { saveBundle } from '../editor/save-bundle.ts'
import { useSession } from '../session/session.ts'

type ImportState = { file: File; busy: boolean; error: Error | null }

export function BundleImport() {
  const { account } = useSession()
  const navigate = useNavigate()
  const [shared, setShared] = useState(false)
  const [current, setCurrent] = useState<ImportState | null>(null)
  const isOperator = account.role === 'operator'
  const upload = async (file: File) => {
    setCurrent({ file, busy: true, error: null })
    try {
      const id = await saveBundle(file, isOperator && shared)
      setCurrent(null)
      announce(`Imported the template ${id}.`)
      await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      setCurrent({ file, busy: false, error: asError(failure) })
    }
  }
  useDroppedFiles('bundle', ([file]) => {
    if (file !== undefined) void upload(file)
  })
  if (current === null) return null
  return (
    <Dialog
      title={current.busy ? 'Importing…' : `“${current.file.name}” was not imported`}
      onClose={() => setCurrent(null)}
    >
      {current.busy && <p role="status">Checking every picture of “{current.file.name}”.</p>}
      {current.error !== null && <Failure error={current.error} onRetry={() => void upload(current.file)} />}
      {current.error !== null && isOperator && (
        <Check checked={shared} onChecked={setShared}>
          Import it for every account
        </Check>
      )}
    </Dialog>
  )
}
