/** `/imports/:id`: the import of a Photoshop file: upload, conversion, review, and the resulting template. */
import '../psd-import/psd-import.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { importedTemplateSchema, type PsdImport, type PsdRun } from '@vitrine/contract'
import { useEffect } from 'react'
import { act, post } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field, Select } from '../components/controls.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { Failure, Loading } from '../components/states.tsx'
import { SharingWords } from '../components/template-sharing.tsx'
import { useAction, useWork } from '../components/use-action.ts'
import { WayBack } from '../components/way-back.tsx'
import { ShareCheck } from '../editor/sharing-choices.tsx'
import { PsdCompare } from '../psd-import/psd-compare.tsx'
import { nameColors, PsdFrames } from '../psd-import/psd-frames.tsx'
import { PsdMaps } from '../psd-import/psd-maps.tsx'
import { PsdReport } from '../psd-import/psd-report.tsx'
import { psdUploads } from '../psd-import/psd-uploads.ts'
import { usePsdUploads } from '../psd-import/use-psd-uploads.ts'
import { importQuery, isConverting } from '../queries/imports-query.ts'
import { queryClient, useSession } from '../session/session.ts'

const route = getRouteApi('/signed-in/imports/$id')

const steps = [
  { state: 'waiting', label: 'Waiting for other imports' },
  { state: 'reading', label: 'Reading the layers' },
  { state: 'drawing', label: 'Drawing scene, frames and layers' },
  { state: 'checking', label: 'Comparing with Photoshop’s picture' },
] as const

const leave = async (id: string): Promise<void> => {
  queryClient.removeQueries({ queryKey: ['import', id] })
  await queryClient.invalidateQueries({ queryKey: ['imports'] })
}

export function ImportPage() {
  const { id } = route.useParams()
  const psd = useQuery(importQuery(id))
  const upload = usePsdUploads().find(each => each.id === id)
  const isSent = upload === undefined
  const state = psd.data?.state
  // Also if the first answer arrived after the upload but describes the state before: it is not polled again.
  useEffect(() => {
    if (isSent && state === 'uploading') void queryClient.invalidateQueries({ queryKey: ['import', id] })
  }, [isSent, state, id])
  if (!psd.isSuccess) return <Loading query={psd} rows={3} />
  return (
    <>
      <WayBack to="/templates">Templates</WayBack>
      <header className="page-head">
        <h1>{psd.data.file_name}</h1>
        <Remove psd={psd.data} />
      </header>
      <div className="stack">
        {upload !== undefined && upload.error === null && (
          <p role="status">
            <progress aria-label="Sent" max={1} value={upload.share} /> {Math.floor(upload.share * 100)} % sent. You may
            go to other pages; keep this one of your browser’s windows open.
          </p>
        )}
        {upload !== undefined && upload.error !== null && <Failure error={upload.error} />}
        {psd.data.state === 'uploading' && (upload === undefined || upload.error !== null) && <Resume psd={psd.data} />}
        {isConverting(psd.data) && <Steps psd={psd.data} />}
        {(psd.data.state === 'refused' || psd.data.state === 'failed') && <Refused psd={psd.data} />}
        {psd.data.state === 'ready' && <Ready key={psd.data.run} psd={psd.data} />}
      </div>
    </>
  )
}

function Remove({ psd }: { psd: PsdImport }) {
  const navigate = useNavigate()
  const { run, error } = useWork(async () => {
    psdUploads.cancel(psd.id)
    await act(`/dashboard/api/imports/${psd.id}/remove`)
    await leave(psd.id)
    announce(`Removed the import of ${psd.file_name}.`)
    await navigate({ to: '/templates' })
  })
  return (
    <>
      <Button onClick={() => void run()}>Remove this import</Button>
      {error !== null && <Failure error={error} />}
    </>
  )
}

function Resume({ psd }: { psd: PsdImport }) {
  const take = (file: File) => {
    if (file.size === psd.size_bytes) psdUploads.resume(psd.id, file)
    else announce(`“${file.name}” is not the file that was sent before: it has another size.`)
  }
  return (
    <>
      <p>The upload of this file is incomplete. Choose the file again to continue.</p>
      <div className="row">
        <FilePicker label="The same file" accept=".psd,.psb" look="primary" onFile={take}>
          Choose {psd.file_name}
        </FilePicker>
      </div>
    </>
  )
}

function Steps({ psd }: { psd: PsdImport }) {
  const now = steps.findIndex(({ state }) => state === psd.state)
  return (
    <>
      <ol className="psd-steps" role="status">
        {steps.map(({ state, label }, index) => (
          <li key={state} aria-current={index === now ? 'step' : undefined} data-done={index < now}>
            {label}
            {index === now ? '…' : ''}
          </li>
        ))}
      </ol>
      <p className="quiet">You can leave this page; Templates links back to it. Nothing is charged.</p>
    </>
  )
}

function useConvert(psd: PsdImport) {
  return async (wanted: PsdRun) => {
    await act(`/dashboard/api/imports/${psd.id}/run`, wanted)
    await queryClient.invalidateQueries({ queryKey: ['import', psd.id] })
  }
}

function Refused({ psd }: { psd: PsdImport }) {
  const convert = useConvert(psd)
  const again = useWork(() => convert({ frames: psd.chosen, colors: [] }))
  return (
    <>
      <div role="alert" className="notice notice-danger">
        <p>
          <strong>{psd.message}</strong> Nothing was imported, and nothing is charged.
        </p>
      </div>
      <PsdMaps psd={psd} />
      {psd.choices.length > 0 ? (
        <Frames psd={psd} />
      ) : (
        psd.state === 'failed' && <Button onClick={() => void again.run()}>Convert it again</Button>
      )}
      {again.error !== null && <Failure error={again.error} />}
    </>
  )
}

function Frames({ psd }: { psd: PsdImport }) {
  const convert = useConvert(psd)
  const action = useAction(async fields =>
    convert({ frames: fields.getAll('frame').map(String), colors: nameColors(fields.getAll('color').map(String)) }),
  )
  return (
    <form onSubmit={action.submit}>
      <PsdFrames psd={psd} />
      {action.error !== null && <Failure error={action.error} />}
    </form>
  )
}

function Ready({ psd }: { psd: PsdImport }) {
  const { account } = useSession()
  const navigate = useNavigate()
  const make = useAction(async fields => {
    const details = { name: fields.get('name'), category: fields.get('category'), type: fields.get('type') }
    const wanted = { ...details, shared: fields.has('shared') }
    const { id } = await post(`/dashboard/api/imports/${psd.id}/template`, wanted, importedTemplateSchema)
    await leave(psd.id)
    await queryClient.invalidateQueries({ queryKey: ['templates'] })
    announce(`Made the template ${id}.`)
    await navigate({ to: '/templates/$id/edit', params: { id } })
  })
  if (psd.report === null) return null
  return (
    <>
      {psd.has_comparison ? (
        <PsdCompare psd={psd} />
      ) : (
        <p>Photoshop saved no composite image in this file, so there is nothing to compare with.</p>
      )}
      <PsdReport report={psd.report} />
      <PsdMaps psd={psd} />
      <Frames psd={psd} />
      <form className="stack" onSubmit={make.submit}>
        <Field
          label="Name"
          name="name"
          required
          maxLength={100}
          defaultValue={psd.file_name.replace(/\.ps[db]$/i, '')}
        />
        <Field label="Category" name="category" required maxLength={100} defaultValue="Imported" />
        <Select
          label="Type"
          name="type"
          defaultValue="product"
          options={[
            { value: 'product', label: 'Product: apparel, mugs, devices' },
            { value: 'print', label: 'Print: wall art and posters' },
          ]}
        />
        {account.role === 'operator' ? <ShareCheck name="shared" /> : <SharingWords isShared={false} />}
        {make.error !== null && <Failure error={make.error} />}
        <div className="row">
          <Button look="primary" type="submit">
            Make the template
          </Button>
        </div>
      </form>
    </>
  )
}
