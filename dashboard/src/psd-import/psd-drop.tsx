/** Takes a Photoshop file that is chosen, dropped or pasted on any page, and shows how far it is sent. */
import './psd-import.css'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { limits } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { Dialog } from '../components/dialog.tsx'
import { useDroppedFiles } from '../components/file-drops.tsx'
import { Failure } from '../components/states.tsx'
import { queryClient } from '../session/session.ts'
import { psdUploads } from './psd-uploads.ts'
import { usePsdUploads } from './use-psd-uploads.ts'

export function PsdDrop() {
  const navigate = useNavigate()
  const [failed, setFailed] = useState<{ file: File; maps: readonly File[]; error: Error } | null>(null)
  const uploads = usePsdUploads()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const begin = async (file: File, maps: readonly File[]) => {
    setFailed(null)
    try {
      const id = await psdUploads.begin(file, maps)
      await queryClient.invalidateQueries({ queryKey: ['imports'] })
      await navigate({ to: '/imports/$id', params: { id } })
    } catch (failure) {
      setFailed({ file, maps, error: asError(failure) })
    }
  }
  useDroppedFiles('photoshop', files => {
    // Of two files the smaller one is a displacement map, which is read only if the other one names it.
    const [file, ...others] = files.toSorted((a, b) => b.size - a.size)
    const maps = others.filter(({ size }) => size <= limits.psdMapSizeBytesMax)
    if (file !== undefined) void begin(file, maps)
  })
  const isSending = uploads.some(({ error }) => error === null)
  useEffect(() => {
    if (!isSending) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isSending])
  const elsewhere = uploads.filter(({ id }) => path !== `/imports/${id}`)
  return (
    <>
      {elsewhere.length > 0 && (
        <section className="psd-sending" aria-label="Photoshop files that are sent">
          {elsewhere.map(({ id, fileName, share, error }) => (
            <p key={id}>
              <Link to="/imports/$id" params={{ id }}>
                {fileName}
              </Link>{' '}
              {error === null ? `${Math.floor(share * 100)} % sent` : 'was not sent'}
            </p>
          ))}
        </section>
      )}
      {failed !== null && (
        <Dialog title={`“${failed.file.name}” was not imported`} onClose={() => setFailed(null)}>
          <Failure error={failed.error} onRetry={() => void begin(failed.file, failed.maps)} />
        </Dialog>
      )}
    </>
  )
}
