/** Bulk: artworks times templates, the cost first, progress, stop, one zip. */
import './create.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { limits } from '@vitrine/contract'
import { useState } from 'react'
import type { BulkInputs } from '../bulk/bulk-store.ts'
import { ChooseTemplates } from '../bulk/choose-templates.tsx'
import { RunPanel } from '../bulk/run-panel.tsx'
import { useBulk } from '../bulk/use-bulk.ts'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { OutputChoice } from '../components/output-choice.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { formatCents, formatCount, formatCredits } from '../format.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { useWorn } from '../wall/use-worn.ts'
import { creditsQuery } from './credits-query.ts'

export function Create() {
  const { account } = useSession()
  const { inputs, choose, run, tasks, start, resume, stop, clear } = useBulk(account.id)
  const [worn] = useWorn()
  if (inputs === null) return <Skeleton rows={3} height={120} />
  const locked = run !== null
  return (
    <>
      <header className="page-head">
        <h1>Create mockups</h1>
      </header>
      <div className="stack">
        <ChooseArtworks
          artworks={inputs.artworks}
          disabled={locked}
          onChange={change => choose(before => ({ ...before, artworks: change(before.artworks) }))}
        />
        <ChooseTemplates
          chosen={inputs.templates}
          artwork={inputs.artworks[0] ?? worn ?? null}
          disabled={locked}
          onChange={change => choose(before => ({ ...before, templates: change(before.templates) }))}
        />
        <section className="panel stack run-section" aria-labelledby="cost">
          <h2 id="cost">3. Render</h2>
          <OutputChoice
            output={inputs.output}
            disabled={locked}
            onChange={output => choose(before => ({ ...before, output }))}
          />
          {run === null ? (
            <StartRun inputs={inputs} count={tasks.length} onStart={() => void start()} />
          ) : (
            <RunPanel run={run} onStop={stop} onResume={() => void resume()} onClear={() => void clear()} />
          )}
        </section>
      </div>
    </>
  )
}

function StartRun({ inputs, count, onStart }: { inputs: BulkInputs; count: number; onStart: () => void }) {
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  const { artworks, templates } = inputs
  return (
    <>
      <p>
        {formatCount(artworks.length)} {artworks.length === 1 ? 'artwork' : 'artworks'} ×{' '}
        {formatCount(templates.length)} {templates.length === 1 ? 'template' : 'templates'} ={' '}
        <strong>{formatCredits(count)}</strong> ({formatCents(count)}).{' '}
        {balance !== undefined &&
          `You have ${formatCount(balance)}; after this run ${formatCount(Math.max(0, balance - count))}. `}
        What fails costs nothing.
      </p>
      {balance !== undefined && count > balance && (
        <p className="field-error">That is more than you have: the run stops when the credits are used up.</p>
      )}
      <div className="row">
        <Button look="primary" disabled={count === 0} onClick={onStart}>
          {count === 0
            ? missing(artworks.length, templates.length)
            : `Render ${formatCount(count)} for ${formatCredits(count)}`}
        </Button>
      </div>
    </>
  )
}

function missing(artworks: number, templates: number): string {
  if (artworks === 0) return templates === 0 ? 'Choose an artwork and a template' : 'Choose an artwork'
  return 'Choose a template'
}

type ChooseArtworksProps = {
  artworks: readonly File[]
  disabled: boolean
  onChange: (change: (before: readonly File[]) => readonly File[]) => void
}

function ChooseArtworks({ artworks, disabled, onChange }: ChooseArtworksProps) {
  const [refused, setRefused] = useState<readonly string[]>([])
  const add = (files: readonly File[]) => {
    if (disabled) return
    const faults = new Map(files.map(file => [file, faultOf(file)]))
    setRefused([...faults.values()].filter(fault => fault !== null))
    onChange(before => [...before, ...files.filter(file => faults.get(file) === null)])
  }
  return (
    <section className="stack-form" aria-labelledby="artworks">
      <h2 id="artworks">1. Artworks</h2>
      {!disabled && (
        <DropZone label="Choose artworks" multiple onFiles={add}>
          <p>Drop or paste one picture or many, anywhere on this page: JPEG, PNG, WebP or GIF, up to 20 MB each.</p>
        </DropZone>
      )}
      {refused.length > 0 && <Failure error={new Error(refused.join(' '))} />}
      <ul className="artworks">
        {artworks.map((artwork, index) => (
          <li key={`${artwork.name}-${artwork.lastModified}-${index}`}>
            <Artwork file={artwork} />
            <Button
              className="button-small"
              disabled={disabled}
              onClick={() => {
                onChange(before => before.filter((_, i) => i !== index))
                announce(`Removed “${artwork.name}”.`, {
                  undo: () => onChange(before => before.toSpliced(index, 0, artwork)),
                })
              }}
            >
              Remove<span className="visually-hidden"> {artwork.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function faultOf(file: File): string | null {
  if (!/^image\/(jpeg|png|webp|gif)$/.test(file.type)) return `${file.name} is no JPEG, PNG, WebP or GIF.`
  if (file.size > limits.artworkSizeBytesMax)
    return `${file.name} has ${(file.size / 1024 / 1024).toFixed(1)} MB: an artwork may have 20 MB at the most.`
  return null
}

function Artwork({ file }: { file: File }) {
  const url = useObjectUrl(file)
  return (
    <>
      {url !== null && <img src={url} alt="" loading="lazy" decoding="async" />}
      <span title={file.name}>{file.name}</span>
    </>
  )
}
