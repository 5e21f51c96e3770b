/** One template: its picture, a place to try it, and all that a program needs to use it. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { DashboardTemplate } from '@vitrine/contract'
import { useMemo, useState } from 'react'
import { post } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, CopyButton, Select, Snippet } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { formatCredits } from '../format.ts'
import { download, renderInFull } from '../mockups.ts'
import { usePreview } from '../preview/use-preview.ts'
import { queryClient, useSession } from '../session/session.ts'
import { curlSnippet, pythonSnippet, typescriptSnippet } from '../snippets.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { templateQuery } from './templates-query.ts'

const route = getRouteApi('/signed-in/templates/$id')
const previewWidthPx = 1000

export function TemplatePage() {
  const { id } = route.useParams()
  const template = useQuery(templateQuery(id))
  if (template.isPending) return <Skeleton rows={2} height={320} />
  if (template.isError) return <Failure error={template.error} onRetry={() => void template.refetch()} />
  return <Template key={template.data.id} template={template.data} />
}

function Template({ template }: { template: DashboardTemplate }) {
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{template.name}</h1>
          <p className="quiet">{template.category}</p>
        </div>
        <div className="row">
          <a
            className="button button-quiet"
            href={`/dashboard/api/templates/${template.id}/bundle.zip`}
            download={`${template.id}.zip`}
          >
            Export bundle
          </a>
          {template.editable && <Remove template={template} />}
        </div>
      </header>
      <div className="stack">
        <TryIt template={template} />
        <Facts template={template} />
        <Snippets template={template} />
      </div>
    </>
  )
}

function TryIt({ template }: { template: DashboardTemplate }) {
  const [artwork, setArtwork] = useState<{ file: File; bytes: Uint8Array } | null>(null)
  const folder = `/dashboard/api/templates/${template.id}/files/${template.version}`
  const input = useMemo(
    () => (artwork === null ? null : { folder, widthPx: previewWidthPx, artworks: [artwork.bytes] }),
    [artwork, folder],
  )
  const preview = usePreview(input)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    setArtwork({ file, bytes: new Uint8Array(await file.arrayBuffer()) })
  }
  return (
    <section className="try" aria-label="Try it">
      <div className="try-picture">
        {preview.state === 'done' ? (
          <PictureCanvas picture={preview.picture} label={`${template.name} with your artwork`} />
        ) : (
          template.thumbnail_url !== null && (
            <img
              className="picture"
              src={new URL(template.thumbnail_url, location.href).pathname}
              alt={template.name}
            />
          )
        )}
        {preview.state === 'rendering' && (
          <p className="badge" role="status">
            Rendering…
          </p>
        )}
      </div>
      <div className="stack">
        <DropZone
          label={artwork === null ? 'Choose your artwork' : 'Choose another artwork'}
          onFiles={([file]) => void take(file)}
        >
          <p>Drop your artwork here. It is rendered in your browser: no credit, no upload.</p>
        </DropZone>
        {preview.state === 'failed' && <Failure error={new Error(preview.message)} />}
        {artwork !== null && <RenderInFull template={template} artwork={artwork.file} />}
      </div>
    </section>
  )
}

function RenderInFull({ template, artwork }: { template: DashboardTemplate; artwork: File }) {
  const [widthPx, setWidthPx] = useState(2000)
  const [format, setFormat] = useState<'jpeg' | 'png'>('jpeg')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [mockup, setMockup] = useState<{ blob: Blob; name: string; creditsRemaining: number } | null>(null)
  const url = useObjectUrl(mockup?.blob ?? null)
  const render = async () => {
    setBusy(true)
    setError(null)
    try {
      const { blob, creditsRemaining } = await renderInFull(template.id, artwork, { format, widthPx, quality: 85 })
      setMockup({
        blob,
        creditsRemaining,
        name: `${artwork.name.replace(/\.\w+$/, '')}--${template.id}.${format === 'jpeg' ? 'jpg' : 'png'}`,
      })
      announce(`The mockup is ready. ${formatCredits(creditsRemaining)} left.`)
      await queryClient.invalidateQueries({ queryKey: ['credits'] })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="panel stack">
      <div className="row">
        <Select
          label="Width"
          value={String(widthPx)}
          onChange={event => setWidthPx(Number(event.currentTarget.value))}
          options={[1000, 2000, 3000, 4000].map(px => ({ value: String(px), label: `${px} px` }))}
        />
        <Select
          label="Format"
          value={format}
          onChange={event => setFormat(event.currentTarget.value === 'png' ? 'png' : 'jpeg')}
          options={[
            { value: 'jpeg', label: 'JPEG' },
            { value: 'png', label: 'PNG' },
          ]}
        />
      </div>
      <Button look="primary" onClick={() => void render()} aria-busy={busy}>
        {busy ? 'Rendering…' : 'Render in full for 1 credit'}
      </Button>
      {error !== null && <Failure error={error} />}
      {mockup !== null && url !== null && (
        <div className="stack" role="status">
          <img className="picture" src={url} alt={`The finished mockup: ${template.name}`} />
          <p>{formatCredits(mockup.creditsRemaining)} left.</p>
          <Button onClick={() => download(mockup.blob, mockup.name)}>Download {mockup.name}</Button>
        </div>
      )}
    </div>
  )
}

function Facts({ template }: { template: DashboardTemplate }) {
  return (
    <section className="panel" aria-label="Facts">
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <code>{template.id}</code> <CopyButton text={template.id} what="the id" />
        </dd>
        <dt>Artwork</dt>
        <dd>
          {template.frames.map(frame => (
            <span key={frame.index}>
              {template.frame_count > 1 && `Frame ${frame.index}: `}
              {frame.aspect_ratio.toFixed(2)} (width / height){' '}
            </span>
          ))}
        </dd>
        <dt>Type</dt>
        <dd>
          {template.is_product_template
            ? `Product${template.surface_type === null ? '' : ` · ${template.surface_type}`}`
            : 'Print'}
        </dd>
        <dt>Rendering</dt>
        <dd>
          {template.render_mode === 'corners' ? 'Perspective (corners)' : 'Curved surface (uvmap)'} ·{' '}
          {template.blending_mode}
        </dd>
      </dl>
    </section>
  )
}

function Snippets({ template }: { template: DashboardTemplate }) {
  const { service } = useSession()
  const input = { baseUrl: service.base_url, templateId: template.id }
  const languages = { curl: curlSnippet(input), TypeScript: typescriptSnippet(input), Python: pythonSnippet(input) }
  const [language, setLanguage] = useState<keyof typeof languages>('curl')
  return (
    <section className="stack" aria-labelledby="from-your-program">
      <h2 id="from-your-program">From your program</h2>
      <div className="row" role="group" aria-label="Language">
        {(['curl', 'TypeScript', 'Python'] as const).map(name => (
          <Button
            key={name}
            aria-pressed={language === name}
            look={language === name ? 'primary' : 'quiet'}
            onClick={() => setLanguage(name)}
          >
            {name}
          </Button>
        ))}
      </div>
      <Snippet code={languages[language]} what={`the ${language} code`} />
    </section>
  )
}

function Remove({ template }: { template: DashboardTemplate }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const remove = async () => {
    try {
      await post(`/dashboard/api/templates/${template.id}/remove`)
      await queryClient.invalidateQueries({ queryKey: ['templates'] })
      announce(`Removed ${template.name}.`)
      await navigate({ to: '/templates' })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <Dialog
          title={`Remove “${template.name}”?`}
          onClose={() => setAsking(false)}
          actions={
            <Button look="danger" onClick={() => void remove()}>
              Remove {template.name}
            </Button>
          }
        >
          <p>
            Requests for <code>{template.id}</code> answer “template not found” from now on
            {template.owner === 'shared' ? ', for every account' : ''}. Export the bundle first if you may want it back.
          </p>
          {error !== null && <Failure error={error} />}
        </Dialog>
      )}
    </>
  )
}
