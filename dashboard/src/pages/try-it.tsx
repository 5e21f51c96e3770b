/** Tries artwork in a template: at once in the browser, without a credit, or in full by the service. */
import './try-it.css'
import { useQuery } from '@tanstack/react-query'
import type { DashboardTemplate } from '@vitrine/contract'
import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { ColorSwatches } from '../coloring/color-swatches.tsx'
import type { ProductColors } from '../coloring/product-colors.ts'
import { DropZone } from '../components/drop-zone.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { Failure } from '../components/states.tsx'
import { formatFrame } from '../format.ts'
import { densitySentence } from '../placing/density-sentence.ts'
import { PlacingPanel } from '../placing/placing-panel.tsx'
import type { PlacingAction, PlacingState } from '../placing/placing-state.ts'
import { faultOfArtwork } from '../scenes/fault-of-artwork.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { defaultOutput, type MockupOutput } from '../visit/mockups.ts'
import { placementParameters } from '../visit/placing.ts'
import { browserMockupsQuery, chosenQuery, saveChosen } from '../visit/saved-work.ts'
import { MadeToday, RenderInFull, useMockupKey } from './render-in-full.tsx'
import { hasArtworks, TryPicture, type TryPreview, useTryPreview } from './try-picture.tsx'

type Artwork = { readonly file: File; readonly bytes: Uint8Array }

/** One artwork per frame: the given ones, then the first for the frames without one. */
const fillFrames = (frameCount: number, given: readonly Artwork[]): readonly Artwork[] =>
  Array.from({ length: frameCount }, (_, frame) => given[frame] ?? given[0]).filter(artwork => artwork !== undefined)

type TryItProps = {
  template: DashboardTemplate
  placing: PlacingState
  dispatch: Dispatch<PlacingAction>
  colors: ProductColors
  onColors: (colors: ProductColors) => void
}

export function TryIt({ template, placing, dispatch, colors, onColors }: TryItProps) {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id))
  // Empty, or one per frame.
  const [artworks, setArtworks] = useState<readonly Artwork[]>([])
  const [output, setOutput] = useState(defaultOutput)
  const [error, setError] = useState<Error | null>(null)
  const files = useMemo(() => artworks.map(({ bytes }) => bytes), [artworks])
  const tried = useTryPreview(template, files, placing, colors)
  const { preview, done } = tried
  const placed = done !== null && hasArtworks(done) ? done : null
  const work = useMemo(
    () => ({
      artworks: artworks.map(({ file }) => file),
      output,
      placement: placementParameters(placing.rested),
      colors,
    }),
    [artworks, output, placing.rested, colors],
  )
  const save = (next: readonly Artwork[], settings: MockupOutput) => {
    setArtworks(next)
    setOutput(settings)
    saveChosen(account.id, { files: next.map(({ file }) => file), output: settings }).catch(() => undefined)
  }
  // Restores what was chosen earlier, here or on another page; once, and never over a newer choice.
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
  /** Assigns files to the frames in order, or a single file to all, or files from one frame on. */
  const take = async (files: readonly File[], fromFrame: number | 'every') => {
    isRestored.current = true
    setError(null)
    try {
      const taken = await Promise.all(files.slice(0, template.frame_count).map(readArtwork))
      const before = newestArtworks.current
      const offset = fromFrame === 'every' ? 0 : fromFrame
      const isForAll = before.length === 0 || (fromFrame === 'every' && taken.length === 1)
      const base = isForAll ? fillFrames(template.frame_count, taken) : before
      save(
        base.map((artwork, frame) => taken[frame - offset] ?? artwork),
        output,
      )
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const several = template.frame_count > 1
  const key = useMockupKey(template, work)
  const made =
    useQuery(browserMockupsQuery(account.id)).data?.filter(({ templateId }) => templateId === template.id) ?? []
  const mockup = artworks.length === 0 ? undefined : made.find(each => each.key === key)
  return (
    <section className="try" aria-label="Try it">
      <TryPicture
        template={template}
        tried={tried}
        artwork={artworks.every(({ file }) => file === artworks[0]?.file) ? (artworks[0]?.file ?? null) : null}
        placing={placing}
        dispatch={dispatch}
        onFiles={(files, frame) => void take(files, frame)}
      />
      <div className="stack">
        <DropZone
          label={artworks.length === 0 ? 'Choose your artwork' : 'Choose another artwork'}
          multiple={several}
          onFiles={files => void take(files, 'every')}
        >
          <p>
            <PointerWords fine="Drop your artwork anywhere on this page, or paste it." coarse="Choose your artwork." />{' '}
            It is rendered in your browser: no credit, no upload.
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
        <ColorSwatches areas={template.colors} colors={colors} onChange={onColors} />
        {error !== null && <Failure error={error} />}
        {preview.state === 'failed' && <Failure error={new Error(`${namesOf(artworks)}: ${preview.message}`)} />}
        {placed !== null && <PlacingPanel state={placing} dispatch={dispatch} />}
        {placed !== null && <Density done={placed} widthPx={output.widthPx} />}
        {artworks.length > 0 && preview.state !== 'failed' && (
          <RenderInFull
            template={template}
            work={work}
            artworkName={artworks[0]?.file.name ?? 'artwork'}
            mockupKey={placing.isMoving ? null : key}
            mockup={mockup ?? null}
            onOutput={settings => save(artworks, settings)}
          />
        )}
        <MadeToday mockups={made.filter(each => each !== mockup)} />
      </div>
    </section>
  )
}

type DensityProps = { done: NonNullable<TryPreview['done']>; widthPx: number }

/** The density at the mockup's width; a preview is smaller and so shows fewer pixels than the mockup. */
function Density({ done: { shown, picture }, widthPx }: DensityProps) {
  const share = picture.width / widthPx
  const sentence = densitySentence(shown.artworks.map(artwork => ({ ...artwork, density: artwork.density * share })))
  return <div role="status">{sentence !== null && <p className="notice">{sentence}</p>}</div>
}

/** The names of the artworks, for error messages of the preview. */
const namesOf = (artworks: readonly Artwork[]): string =>
  [...new Set(artworks.map(({ file }) => `“${file.name}”`))].join(', ')

async function readArtwork(file: File): Promise<Artwork> {
  const fault = await faultOfArtwork(file)
  if (fault !== null) throw new Error(fault)
  return { file, bytes: new Uint8Array(await file.arrayBuffer()) }
}

function FrameArtwork({ file, frame, onFile }: { file: File; frame: number; onFile: (file: File) => void }) {
  const url = useObjectUrl(file)
  return (
    <>
      {url !== null && <img src={url} alt="" />}
      <span>
        Frame {frame + 1}: {file.name}
      </span>
      <FilePicker label={`Artwork of ${formatFrame(frame)}`} className="button-small" onFile={onFile}>
        Change<span className="visually-hidden"> the artwork of {formatFrame(frame)}</span>
      </FilePicker>
    </>
  )
}
