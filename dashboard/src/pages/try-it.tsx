/** Artwork in a template: at once in the browser, without a credit; in full by the service, for one. */
import './try-it.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type DashboardTemplate, limits, outputFormats } from '@vitrine/contract'
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { isPicture } from '../components/file-drops.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { OutputChoice } from '../components/output-choice.tsx'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { Failure } from '../components/states.tsx'
import { Outlines, TemplatePicture } from '../components/template-picture.tsx'
import { formatCount, formatCredits } from '../format.ts'
import { chosenQuery, type KeptMockup, keepChosen, keepMockup, keptMockupsQuery } from '../kept-work.ts'
import { defaultOutput, download, type MockupOutput, mockupKeyOf, renderPatiently } from '../mockups.ts'
import { usePreview } from '../preview/use-preview.ts'
import { queryClient, useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { creditsQuery } from './credits-query.ts'

const PREVIEW_WIDTH_PX = 1000

type Artwork = { readonly file: File; readonly bytes: Uint8Array }

/** One artwork per frame: those given, and the first of them where there are too few. */
const fillFrames = (frameCount: number, given: readonly Artwork[]): readonly Artwork[] =>
  Array.from({ length: frameCount }, (_, frame) => given[frame] ?? given[0]).filter(artwork => artwork !== undefined)

/** The frame whose outline holds a point, in shares of the picture; of several the one that is drawn last. */
function frameAt(look: DashboardTemplate['look'], [x, y]: readonly [number, number]): number | null {
  const frame = (look?.outlines ?? []).findLastIndex(outline => {
    let isInside = false
    for (const [index, [x1, y1]] of outline.entries()) {
      const [x2, y2] = outline.at(index - 1) ?? [x1, y1]
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
    }
    return isInside
  })
  return frame < 0 ? null : frame
}

function frameUnder(look: DashboardTemplate['look'], event: DragEvent): number | null {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
  return frameAt(look, [(event.clientX - left) / width, (event.clientY - top) / height])
}

export function TryIt({ template }: { template: DashboardTemplate }) {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id))
  // Empty, or one per frame.
  const [artworks, setArtworks] = useState<readonly Artwork[]>([])
  const [output, setOutput] = useState(defaultOutput)
  const [error, setError] = useState<Error | null>(null)
  const [target, setTarget] = useState<number | null>(null)
  const folder = template.preview_path
  const input = useMemo(
    () => ({
      source: { kind: 'served' as const, folder },
      widthPx: PREVIEW_WIDTH_PX,
      artworks: artworks.map(({ bytes }) => bytes),
    }),
    [artworks, folder],
  )
  const preview = usePreview(input)
  const [shown, setShown] = useState<ImageData | null>(null)
  useEffect(() => {
    if (preview.state === 'failed') setShown(null)
    if (preview.state !== 'done') return
    setShown(preview.picture)
    announceUnseen('The preview shows your artwork.')
  }, [preview])
  const keep = (next: readonly Artwork[], settings: MockupOutput) => {
    setArtworks(next)
    setOutput(settings)
    keepChosen(account.id, { files: next.map(({ file }) => file), output: settings }).catch(() => undefined)
  }
  // What was chosen here before, or on another page, is shown again; once, and never over a newer choice.
  const isRestored = useRef(false)
  useEffect(() => {
    if (isRestored.current || chosen.data === undefined) return
    isRestored.current = true
    if (chosen.data === null) return
    const { files, output: settings } = chosen.data
    setOutput(settings)
    Promise.all(files.slice(0, template.frame_count).map(readArtwork)).then(
      read => setArtworks(now => (now.length > 0 ? now : fillFrames(template.frame_count, read))),
      () => undefined,
    )
  }, [chosen.data, template.frame_count])
  const newestArtworks = useRef(artworks)
  useEffect(() => {
    newestArtworks.current = artworks
  }, [artworks])
  /** Files for every frame in order, one alone for all of them; or from one frame on. */
  const take = async (files: readonly File[], fromFrame: number | 'every') => {
    isRestored.current = true
    setError(null)
    try {
      const taken = await Promise.all(files.slice(0, template.frame_count).map(readArtwork))
      const before = newestArtworks.current
      const offset = fromFrame === 'every' ? 0 : fromFrame
      const isForAll = before.length === 0 || (fromFrame === 'every' && taken.length === 1)
      const base = isForAll ? fillFrames(template.frame_count, taken) : before
      keep(
        base.map((artwork, frame) => taken[frame - offset] ?? artwork),
        output,
      )
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const several = template.frame_count > 1
  const key = useMockupKey(template, artworks, output)
  const made = useQuery(keptMockupsQuery(account.id)).data?.filter(({ templateId }) => templateId === template.id) ?? []
  const mockup = artworks.length === 0 ? undefined : made.find(kept => kept.key === key)
  return (
    <section className="try" aria-label="Try it">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the twin of the buttons beside it */}
      <div
        className={target === null ? 'try-picture' : 'try-picture try-picture-over'}
        aria-busy={preview.state === 'rendering'}
        onDragOver={event => several && setTarget(frameUnder(template.look, event))}
        onDragLeave={() => setTarget(null)}
        onDrop={event => {
          setTarget(null)
          const files = [...event.dataTransfer.files]
          const frame = several ? frameUnder(template.look, event) : null
          if (frame === null || !files.every(isPicture)) return
          event.preventDefault()
          void take(files, frame)
        }}
      >
        {shown === null ? (
          <TemplatePicture template={template} alt={template.name} numbered />
        ) : (
          <PictureCanvas picture={shown} label={`${template.name} with your artwork`} />
        )}
        {target !== null && template.look !== null && <Outlines look={template.look} numbered target={target} />}
        {preview.state === 'rendering' && (
          <p className="badge" role="status">
            Rendering…
          </p>
        )}
      </div>
      <div className="stack">
        <DropZone
          label={artworks.length === 0 ? 'Choose your artwork' : 'Choose another artwork'}
          multiple={several}
          onFiles={files => void take(files, 'every')}
        >
          <p>
            Drop your artwork anywhere on this page, or paste it. It is rendered in your browser: no credit, no upload.
            {several &&
              ` One picture fills all ${template.frame_count} frames; several go into them in order; one dropped on a frame fills that frame.`}
          </p>
        </DropZone>
        {several && artworks.length > 0 && (
          <ul className="frame-artworks">
            {artworks.map(({ file }, frame) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a frame is named by its index
              <li key={frame}>
                <FrameArtwork file={file} frame={frame} onFile={chosen => void take([chosen], frame)} />
              </li>
            ))}
          </ul>
        )}
        {error !== null && <Failure error={error} />}
        {preview.state === 'failed' && <Failure error={new Error(preview.message)} />}
        {artworks.length > 0 && preview.state !== 'failed' && (
          <RenderInFull
            template={template}
            artworks={artworks}
            output={output}
            mockupKey={key}
            mockup={mockup ?? null}
            onOutput={settings => keep(artworks, settings)}
          />
        )}
        <MadeToday mockups={made.filter(kept => kept !== mockup)} />
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

/** The key of the picture that is chosen now; null until it is known. */
function useMockupKey(template: DashboardTemplate, artworks: readonly Artwork[], output: MockupOutput): string | null {
  const [known, setKnown] = useState<{ of: readonly unknown[]; key: string } | null>(null)
  useEffect(() => {
    let current = true
    const files = artworks.map(({ file }) => file)
    mockupKeyOf(template, files, output).then(
      key => current && setKnown({ of: [template, artworks, output], key }),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [template, artworks, output])
  return known?.of[0] === template && known.of[1] === artworks && known.of[2] === output ? known.key : null
}

type RenderInFullProps = {
  template: DashboardTemplate
  artworks: readonly Artwork[]
  output: MockupOutput
  mockupKey: string | null
  mockup: KeptMockup | null
  onOutput: (output: MockupOutput) => void
}

function RenderInFull({ template, artworks, output, mockupKey: key, mockup, onOutput }: RenderInFullProps) {
  const { account } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  useEffect(() => {
    if (key !== null) setError(null)
  }, [key])
  const render = async () => {
    if (busy || key === null) return
    setBusy(true)
    setError(null)
    try {
      const files = artworks.map(({ file }) => file)
      const once = { signal: new AbortController().signal, idempotencyKey: key }
      const { blob, creditsRemaining } = await renderPatiently(template.id, files, output, once)
      const { extension } = outputFormats[output.format]
      const stem = files[0]?.name.replace(/\.\w+$/, '') ?? 'artwork'
      const name = `${stem}--${template.id}.${extension}`
      download(blob, name)
      announce(`The mockup is ready and was downloaded. ${formatCredits(creditsRemaining)} left.`)
      await keepMockup(account.id, { key, templateId: template.id, name, blob, madeAtMs: Date.now() }).catch(() =>
        announce('This browser does not keep the mockup: download it before you leave.'),
      )
      await queryClient.invalidateQueries({ queryKey: ['credits'] })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="panel stack">
      <OutputChoice output={output} onChange={onOutput} disabled={busy} />
      {mockup === null ? (
        <div className="stack-small">
          <Button look="primary" onClick={() => void render()} aria-busy={busy}>
            {busy ? 'Rendering…' : 'Render in full for 1 credit'}
          </Button>
          {balance !== undefined && (
            <p className="quiet">
              You have {formatCredits(balance)}
              {balance > 0 && `; ${formatCount(balance - 1)} after this`}. A mockup that fails costs nothing.
            </p>
          )}
        </div>
      ) : (
        <FinishedMockup mockup={mockup} templateName={template.name} balance={balance} />
      )}
      {error !== null && <Failure error={error} />}
      {error instanceof ApiError && error.status === 402 && (
        <p>
          <ButtonLink to="/credits" search={{ back: `/templates/${template.id}` }}>
            Get credits
          </ButtonLink>
        </p>
      )}
    </div>
  )
}

type FinishedMockupProps = { mockup: KeptMockup; templateName: string; balance: number | undefined }

function FinishedMockup({ mockup: { blob, name }, templateName, balance }: FinishedMockupProps) {
  const url = useObjectUrl(blob)
  return (
    <div className="stack-small" role="status">
      <Button look="primary" className="breaking" onClick={() => download(blob, name)}>
        Download {name}
      </Button>
      <p className="quiet">
        Paid for: the same picture is not charged again today.{' '}
        {balance !== undefined && `${formatCredits(balance)} left.`}
      </p>
      {url !== null && <img className="picture" src={url} alt={`The finished mockup: ${templateName}`} />}
    </div>
  )
}

/** The other mockups of the template that were paid for: one that is not on the screen is not lost. */
function MadeToday({ mockups }: { mockups: readonly KeptMockup[] }) {
  if (mockups.length === 0) return null
  return (
    <section className="panel stack-form" aria-labelledby="made-today">
      <h2 id="made-today" className="made-today">
        Made today
      </h2>
      <p className="quiet">Paid for, and kept in this browser for a day.</p>
      <ul className="frame-artworks">
        {mockups.map(mockup => (
          <li key={mockup.key}>
            <MockupOfToday mockup={mockup} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function MockupOfToday({ mockup: { blob, name } }: { mockup: KeptMockup }) {
  const url = useObjectUrl(blob)
  return (
    <>
      {url !== null && <img src={url} alt="" loading="lazy" decoding="async" />}
      <span>{name}</span>
      <Button className="button-small" onClick={() => download(blob, name)}>
        Download<span className="visually-hidden"> {name}</span>
      </Button>
    </>
  )
}
