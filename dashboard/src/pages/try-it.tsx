/** Artwork in a template: at once in the browser, without a credit; in full by the service, for one. */
import './try-it.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type DashboardTemplate, limits, outputFormats } from '@vitrine/contract'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { OutputChoice } from '../components/output-choice.tsx'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { Failure } from '../components/states.tsx'
import { TemplatePicture } from '../components/template-picture.tsx'
import { formatCount, formatCredits } from '../format.ts'
import { defaultOutput, download, renderPatiently } from '../mockups.ts'
import { usePreview } from '../preview/use-preview.ts'
import { queryClient } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { creditsQuery } from './credits-query.ts'

const PREVIEW_WIDTH_PX = 1000

type Artwork = { readonly file: File; readonly bytes: Uint8Array }

export function TryIt({ template }: { template: DashboardTemplate }) {
  const [artworks, setArtworks] = useState<readonly (Artwork | null)[]>(template.frames.map(() => null))
  const [error, setError] = useState<Error | null>(null)
  const folder = `/dashboard/api/templates/${template.id}/files/${template.version}`
  // What has no artwork of its own yet shows the first one.
  const filled = useMemo(() => {
    const first = artworks.find(artwork => artwork !== null)
    return first === undefined || first === null ? [] : artworks.map(artwork => artwork ?? first)
  }, [artworks])
  const input = useMemo(
    () => ({
      source: { kind: 'served' as const, folder },
      widthPx: PREVIEW_WIDTH_PX,
      artworks: filled.map(({ bytes }) => bytes),
    }),
    [filled, folder],
  )
  const preview = usePreview(input)
  const [shown, setShown] = useState<ImageData | null>(null)
  useEffect(() => {
    if (preview.state !== 'done') return
    setShown(preview.picture)
    announce('The preview shows your artwork.')
  }, [preview])
  const take = async (files: readonly File[], fromFrame: number) => {
    setError(null)
    try {
      const taken = await Promise.all(files.slice(0, template.frame_count).map(readArtwork))
      setArtworks(before =>
        before.map(
          (artwork, frame) => taken[frame - fromFrame] ?? (files.length > 1 || fromFrame > 0 ? artwork : null),
        ),
      )
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const several = template.frame_count > 1
  return (
    <section className="try" aria-label="Try it">
      <div className="try-picture" aria-busy={preview.state === 'rendering'}>
        {shown === null ? (
          <TemplatePicture template={template} alt={template.name} numbered />
        ) : (
          <PictureCanvas picture={shown} label={`${template.name} with your artwork`} />
        )}
        {preview.state === 'rendering' && (
          <p className="badge" role="status">
            Rendering…
          </p>
        )}
      </div>
      <div className="stack">
        <DropZone
          label={filled.length === 0 ? 'Choose your artwork' : 'Choose another artwork'}
          multiple={several}
          onFiles={files => void take(files, 0)}
        >
          <p>
            Drop your artwork here. It is rendered in your browser: no credit, no upload.
            {several && ` One picture fills all ${template.frame_count} frames; several go into them in order.`}
          </p>
        </DropZone>
        {several && filled.length > 0 && (
          <ul className="frame-artworks">
            {filled.map(({ file }, frame) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a frame is named by its index
              <li key={frame}>
                <FrameArtwork file={file} frame={frame} onFile={chosen => void take([chosen], frame)} />
              </li>
            ))}
          </ul>
        )}
        {error !== null && <Failure error={error} />}
        {preview.state === 'failed' && <Failure error={new Error(preview.message)} />}
        {filled.length > 0 && preview.state !== 'failed' && (
          <RenderInFull template={template} artworks={filled.map(({ file }) => file)} />
        )}
      </div>
    </section>
  )
}

async function readArtwork(file: File): Promise<Artwork> {
  if (file.size > limits.artworkSizeBytesMax)
    throw new Error(
      `${file.name} has ${(file.size / 1024 / 1024).toFixed(1)} MB: an artwork may have 20 MB at the most.`,
    )
  return { file, bytes: new Uint8Array(await file.arrayBuffer()) }
}

function FrameArtwork({ file, frame, onFile }: { file: File; frame: number; onFile: (file: File) => void }) {
  const url = useObjectUrl(file)
  return (
    <>
      {url !== null && <img src={url} alt="" />}
      <span>
        Frame {frame}: {file.name}
      </span>
      <FilePicker label={`Artwork of frame ${frame}`} className="button-small" onFile={onFile}>
        Change<span className="visually-hidden"> the artwork of frame {frame}</span>
      </FilePicker>
    </>
  )
}

function RenderInFull({ template, artworks }: { template: DashboardTemplate; artworks: readonly File[] }) {
  const [output, setOutput] = useState(defaultOutput)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [mockup, setMockup] = useState<{ blob: Blob; name: string; creditsRemaining: number } | null>(null)
  const url = useObjectUrl(mockup?.blob ?? null)
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  const render = async () => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      const once = { signal: new AbortController().signal, idempotencyKey: crypto.randomUUID() }
      const { blob, creditsRemaining } = await renderPatiently(template.id, artworks, output, once)
      const { extension } = outputFormats[output.format]
      const stem = artworks[0]?.name.replace(/\.\w+$/, '') ?? 'artwork'
      setMockup({ blob, creditsRemaining, name: `${stem}--${template.id}.${extension}` })
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
      <OutputChoice output={output} onChange={setOutput} disabled={busy} />
      <div className="stack-small">
        <Button look="primary" onClick={() => void render()} aria-busy={busy}>
          {busy ? 'Rendering…' : 'Render in full for 1 credit'}
        </Button>
        {balance !== undefined && mockup === null && (
          <p className="quiet">
            You have {formatCredits(balance)}
            {balance > 0 && `; ${formatCount(balance - 1)} after this`}. A mockup that fails costs nothing.
          </p>
        )}
      </div>
      {error !== null && <Failure error={error} />}
      {error instanceof ApiError && error.status === 402 && (
        <p>
          <ButtonLink to="/credits">Get credits</ButtonLink>
        </p>
      )}
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
