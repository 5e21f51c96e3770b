/** Imports a bundle that is chosen, or dropped on the page. Shows every fault of it. */
import './import-bundle.css'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, type ReactNode, useState } from 'react'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { Failure } from '../components/states.tsx'
import { saveBundle } from '../editor/save-bundle.ts'
import { useSession } from '../session/session.ts'

type ImportState = { file: File; busy: boolean; error: Error | null }

/** Wraps a page that bundles can be dropped on; `children` gets the import button. */
export function BundleImport({ children }: { children: (button: ReactNode) => ReactNode }) {
  const { account } = useSession()
  const navigate = useNavigate()
  const [over, setOver] = useState(false)
  const [shared, setShared] = useState(false)
  const [current, setCurrent] = useState<ImportState | null>(null)
  const isOperator = account.role === 'operator'
  const upload = async (file: File) => {
    setCurrent({ file, busy: true, error: null })
    try {
      const id = await saveBundle(file, isOperator && shared)
      announce(`Imported the template ${id}.`)
      await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      setCurrent({ file, busy: false, error: asError(failure) })
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) void upload(file)
  }
  const button = (
    <FilePicker label="Bundle to import" accept=".zip,application/zip" onFile={file => void upload(file)}>
      Import bundle
    </FilePicker>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the twin of the button
    <div
      className={over ? 'bundle-import bundle-import-over' : 'bundle-import'}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
      }}
      onDrop={drop}
    >
      {children(button)}
      {over && <p className="import-hint">Drop the zip of a bundle to import it</p>}
      {current !== null && (
        <Dialog
          title={current.busy ? 'Importing…' : `“${current.file.name}” was not imported`}
          onClose={() => setCurrent(null)}
        >
          {current.busy && <p role="status">Checking every picture of “{current.file.name}”.</p>}
          {current.error !== null && <Failure error={current.error} onRetry={() => void upload(current.file)} />}
          {current.error !== null && isOperator && (
            <label className="check">
              <input type="checkbox" checked={shared} onChange={event => setShared(event.currentTarget.checked)} />
              Import it for every account
            </label>
          )}
        </Dialog>
      )}
    </div>
  )
}
