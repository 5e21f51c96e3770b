/** Makes a template from a photo: frames by their corners, masks for things in front, a live sample, a check, save. */

import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, type ReactNode, useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { ApiError, send } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field, Select } from '../components/controls.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { bundleOfDraft, idOfName, zipOf } from '../editor/bundle-of-draft.ts'
import { type Draft, type DraftFrame, edit, newFrame, type Point, ratioOf } from '../editor/draft.ts'
import { forgetDraft, loadDraft, saveDraft } from '../editor/draft-store.ts'
import { isConvex } from '../editor/quad.ts'
import { Stage } from '../editor/stage.tsx'
import { queryClient, useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'

const blendingModes = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
  'linear-burn',
  'linear-dodge',
  'vivid-light',
  'linear-light',
  'pin-light',
  'hard-mix',
  'subtract',
  'divide',
  'darker-color',
  'lighter-color',
]

export function Editor() {
  const [start, setStart] = useState<Draft | 'loading' | 'none'>('loading')
  useEffect(() => {
    loadDraft().then(
      draft => setStart(draft ?? 'none'),
      () => setStart('none'),
    )
  }, [])
  if (start === 'loading') return <Skeleton rows={4} />
  if (start === 'none') return <ChoosePhoto onDraft={setStart} />
  return <EditDraft key={start.photo.size} initial={start} onDiscard={() => setStart('none')} />
}

function ChoosePhoto({ onDraft }: { onDraft: (draft: Draft) => void }) {
  const [error, setError] = useState<Error | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const open = async (photo: File | undefined) => {
    if (photo === undefined) return
    try {
      if (!['image/jpeg', 'image/png', 'image/webp'].includes(photo.type))
        throw new Error(`Expected a JPEG, PNG or WebP but received ${photo.type || 'a file of an unknown type'}.`)
      const bitmap = await createImageBitmap(photo)
      const { width: widthPx, height: heightPx } = bitmap
      bitmap.close()
      const name = photo.name.replace(/\.\w+$/, '')
      onDraft({
        templateId: null,
        photo,
        widthPx,
        heightPx,
        name,
        category: 'Wall Art',
        type: 'print',
        surfaceType: '',
        blendingMode: 'multiply',
        frames: [newFrame(widthPx, heightPx)],
      })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void open(event.dataTransfer.files[0])
  }
  return (
    <>
      <header className="page-head">
        <h1>New template</h1>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the twin of the button inside */}
      <div className="empty" onDragOver={event => event.preventDefault()} onDrop={drop}>
        <h2>Start with a photo</h2>
        <p>A picture of a room, a frame, a product: 2,000 pixels wide or more, JPEG, PNG or WebP.</p>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Photo"
          onChange={event => void open(event.currentTarget.files?.[0])}
        />
        <Button look="primary" onClick={() => input.current?.click()}>
          Choose a photo
        </Button>
        {error !== null && <Failure error={error} />}
      </div>
    </>
  )
}

/** What stands against saving, in words that say what to do. */
function faultsOf(draft: Draft): string[] {
  const faults: string[] = []
  if (draft.name.trim() === '') faults.push('Give the template a name.')
  if (draft.category.trim() === '') faults.push('Give the template a category.')
  if (draft.frames.length === 0) faults.push('Add a frame.')
  for (const [index, frame] of draft.frames.entries())
    if (!isConvex(frame.corners)) faults.push(`Frame ${index + 1} crosses itself: move its corners apart.`)
  const ratio = draft.widthPx / draft.heightPx
  if (ratio < 0.25 || ratio > 4) faults.push('The photo is too long: its sides may be 1:4 at the most.')
  if (Math.max(draft.widthPx, draft.heightPx) > 8000 || draft.widthPx * draft.heightPx > 40_000_000)
    faults.push('The photo is too large: 8,000 pixels a side and 40 megapixels at the most.')
  return faults
}

function EditDraft({ initial, onDiscard }: { initial: Draft; onDiscard: () => void }) {
  const navigate = useNavigate()
  const { account } = useSession()
  const [history, dispatch] = useReducer(edit, { past: [], present: initial, future: [], lastEdit: null })
  const draft = history.present
  const [selected, setSelected] = useState<string | null>(initial.frames[0]?.id ?? null)
  const [sample, setSample] = useState<Blob | null>(null)
  const [drawing, setDrawing] = useState<readonly Point[] | null>(null)
  const [shared, setShared] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [saving, setSaving] = useState(false)
  const photoUrl = useObjectUrl(draft.photo)
  const sampleUrl = useObjectUrl(sample) ?? '/sample-artwork.jpg'
  const change = useCallback(
    (draftAfter: Draft, gesture: string) => dispatch({ kind: 'change', gesture, draft: draftAfter }),
    [],
  )
  const changeFrame = (id: string, change_: Partial<DraftFrame>, gesture: string) =>
    change(
      { ...draft, frames: draft.frames.map(frame => (frame.id === id ? { ...frame, ...change_ } : frame)) },
      gesture,
    )

  useEffect(() => {
    const timer = setTimeout(() => void saveDraft(draft).catch(() => undefined), 250)
    return () => clearTimeout(timer)
  }, [draft])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      dispatch({ kind: event.shiftKey ? 'redo' : 'undo' })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  const faults = faultsOf(draft)
  const save = async () => {
    setError(null)
    if (faults.length > 0) {
      announce(faults.join(' '))
      return
    }
    setSaving(true)
    try {
      const id = draft.templateId ?? idOfName(draft.name)
      const body = zipOf(await bundleOfDraft(draft, id))
      await send(`/dashboard/api/templates?shared=${shared}`, {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body,
      })
      await forgetDraft()
      await queryClient.invalidateQueries({ queryKey: ['templates'] })
      await queryClient.invalidateQueries({ queryKey: ['template', id] })
      announce(`Saved the template ${draft.name}.`)
      await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setSaving(false)
    }
  }
  const discard = async () => {
    await forgetDraft()
    onDiscard()
  }
  const download = async () => {
    const zip = zipOf(await bundleOfDraft(draft, draft.templateId ?? idOfName(draft.name)))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(zip)
    link.download = `${draft.name.trim() || 'template'}.zip`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
  }
  const finishPolygon = () => {
    const frame = draft.frames.find(({ id }) => id === selected)
    if (frame !== undefined && drawing !== null && drawing.length >= 3) {
      const polygons = frame.mask.kind === 'polygons' ? frame.mask.polygons : []
      changeFrame(frame.id, { mask: { kind: 'polygons', polygons: [...polygons, drawing] } }, crypto.randomUUID())
    }
    setDrawing(null)
  }
  return (
    <>
      <header className="page-head">
        <h1>{draft.templateId === null ? 'New template' : `Edit ${draft.name}`}</h1>
        <div className="row">
          <Button onClick={() => dispatch({ kind: 'undo' })} disabled={history.past.length === 0}>
            Undo
          </Button>
          <Button onClick={() => dispatch({ kind: 'redo' })} disabled={history.future.length === 0}>
            Redo
          </Button>
          <Button onClick={() => void download()}>Export bundle</Button>
          <Button onClick={() => void discard()}>Start over</Button>
          <Button look="primary" onClick={() => void save()} aria-busy={saving}>
            {saving ? 'Saving…' : 'Save template'}
          </Button>
        </div>
      </header>
      {error !== null && <Failure error={error} />}
      {error instanceof ApiError && error.code === 'INVALID_TEMPLATE' && (
        <p className="quiet">Nothing you made is lost: mend what is named above and save again.</p>
      )}
      <div className="editor">
        {photoUrl !== null && (
          <Stage
            draft={draft}
            photoUrl={photoUrl}
            sampleUrl={sampleUrl}
            selected={selected}
            drawing={drawing}
            onSelect={setSelected}
            onCorners={(id, corners, gesture) => changeFrame(id, { corners }, gesture)}
            onDraw={point => setDrawing(points => (points === null ? null : [...points, point]))}
          />
        )}
        <div className="stack">
          {faults.length > 0 && (
            <ul className="notice">
              {faults.map(fault => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          )}
          <Details draft={draft} change={change} />
          {account.role === 'operator' && (
            <label className="row">
              <input type="checkbox" checked={shared} onChange={event => setShared(event.currentTarget.checked)} />{' '}
              Share with every account
            </label>
          )}
          <FilePicker label="Sample artwork" onFile={setSample}>
            Try another artwork
          </FilePicker>
          <Frames
            draft={draft}
            selected={selected}
            drawing={drawing}
            onSelect={setSelected}
            change={change}
            changeFrame={changeFrame}
            onStartPolygon={() => {
              setDrawing([])
              announce('Click around the thing in front of the frame, then choose Finish.')
            }}
            onFinishPolygon={finishPolygon}
            onCancelPolygon={() => setDrawing(null)}
          />
        </div>
      </div>
    </>
  )
}

function Details({ draft, change }: { draft: Draft; change: (draft: Draft, gesture: string) => void }) {
  return (
    <section className="panel stack" aria-label="Template">
      <Field
        label="Name"
        value={draft.name}
        maxLength={100}
        onChange={event => change({ ...draft, name: event.currentTarget.value }, 'name')}
      />
      <Field
        label="Category"
        value={draft.category}
        maxLength={60}
        onChange={event => change({ ...draft, category: event.currentTarget.value }, 'category')}
      />
      <Select
        label="Type"
        value={draft.type}
        onChange={event =>
          change({ ...draft, type: event.currentTarget.value === 'product' ? 'product' : 'print' }, 'type')
        }
        options={[
          { value: 'print', label: 'Print' },
          { value: 'product', label: 'Product' },
        ]}
      />
      {draft.type === 'product' && (
        <Field
          label="Surface"
          value={draft.surfaceType}
          help="fabric, ceramic, paper, canvas, glass …"
          onChange={event => change({ ...draft, surfaceType: event.currentTarget.value }, 'surface')}
        />
      )}
      <Select
        label="Blending mode"
        value={draft.blendingMode}
        onChange={event => change({ ...draft, blendingMode: event.currentTarget.value }, 'blending')}
        options={blendingModes.map(mode => ({ value: mode, label: mode }))}
      />
    </section>
  )
}

type FramesProps = {
  draft: Draft
  selected: string | null
  drawing: readonly Point[] | null
  onSelect: (id: string) => void
  change: (draft: Draft, gesture: string) => void
  changeFrame: (id: string, change: Partial<DraftFrame>, gesture: string) => void
  onStartPolygon: () => void
  onFinishPolygon: () => void
  onCancelPolygon: () => void
}

function Frames({
  draft,
  selected,
  drawing,
  onSelect,
  change,
  changeFrame,
  onStartPolygon,
  onFinishPolygon,
  onCancelPolygon,
}: FramesProps) {
  const add = () => {
    const frame = newFrame(draft.widthPx, draft.heightPx)
    change({ ...draft, frames: [...draft.frames, frame] }, crypto.randomUUID())
    onSelect(frame.id)
  }
  const move = (index: number, by: number) => {
    const frames = [...draft.frames]
    const [frame] = frames.splice(index, 1)
    if (frame !== undefined) frames.splice(index + by, 0, frame)
    change({ ...draft, frames }, crypto.randomUUID())
  }
  return (
    <section className="stack" aria-label="Frames">
      {draft.frames.map((frame, index) => (
        <fieldset
          key={frame.id}
          className={frame.id === selected ? 'panel stack frame-panel frame-panel-selected' : 'panel stack frame-panel'}
          onFocus={() => onSelect(frame.id)}
        >
          <legend>Frame {index + 1}</legend>
          <Field
            label="Ratio (width / height)"
            type="number"
            step="any"
            min={0.05}
            max={20}
            value={frame.aspectRatio ?? ''}
            placeholder={ratioOf(frame, draft).toFixed(3)}
            help={
              frame.aspectRatio === null
                ? 'From the quad’s perspective. Type a number to set it by hand.'
                : 'Set by hand. Empty the field to take it from the quad.'
            }
            onChange={event => {
              const value = Number(event.currentTarget.value)
              changeFrame(
                frame.id,
                { aspectRatio: event.currentTarget.value === '' || !(value > 0) ? null : value },
                `${frame.id}:ratio`,
              )
            }}
          />
          <Field
            label={`Opacity: ${Math.round(frame.opacity * 100)} %`}
            type="range"
            min={0}
            max={1}
            step={0.01}
            value={frame.opacity}
            onChange={event =>
              changeFrame(frame.id, { opacity: Number(event.currentTarget.value) }, `${frame.id}:opacity`)
            }
          />
          <div className="row">
            {drawing !== null && frame.id === selected ? (
              <>
                <Button onClick={onFinishPolygon}>Finish ({drawing.length} points)</Button>
                <Button onClick={onCancelPolygon}>Cancel</Button>
              </>
            ) : (
              <Button
                onClick={() => {
                  onSelect(frame.id)
                  onStartPolygon()
                }}
              >
                Draw what is in front
              </Button>
            )}
            <FilePicker
              label={`Mask of frame ${index + 1}`}
              onFile={picture => changeFrame(frame.id, { mask: { kind: 'picture', picture } }, crypto.randomUUID())}
            >
              Upload a mask
            </FilePicker>
            {frame.mask.kind !== 'none' && (
              <Button onClick={() => changeFrame(frame.id, { mask: { kind: 'none' } }, crypto.randomUUID())}>
                Remove the mask
              </Button>
            )}
          </div>
          <div className="row">
            <Button disabled={index === 0} onClick={() => move(index, -1)}>
              Draw earlier
            </Button>
            <Button disabled={index === draft.frames.length - 1} onClick={() => move(index, 1)}>
              Draw later
            </Button>
            <Button
              look="danger"
              onClick={() =>
                change({ ...draft, frames: draft.frames.filter(({ id }) => id !== frame.id) }, crypto.randomUUID())
              }
            >
              Remove frame {index + 1}
            </Button>
          </div>
        </fieldset>
      ))}
      <Button onClick={add} disabled={draft.frames.length >= 16}>
        {draft.frames.length >= 16 ? 'A template has 16 frames at the most' : 'Add a frame'}
      </Button>
    </section>
  )
}

function FilePicker({ label, onFile, children }: { label: string; onFile: (file: File) => void; children: ReactNode }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={event => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) onFile(file)
        }}
      />
      <Button onClick={() => input.current?.click()}>{children}</Button>
    </>
  )
}
