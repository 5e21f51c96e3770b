/** The live scenes of a proof with the artwork, and the answer to the shop below them. */
import type { SharedProof, SharedScene } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import { useDroppedFiles } from '../components/file-drops.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { faultOfArtwork } from '../scenes/fault-of-artwork.ts'
import { useArtworkSize } from '../scenes/use-artwork-size.ts'
import { useMasonry } from '../scenes/use-masonry.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import {
  beginGalleryPlacing,
  changeGalleryPlacing,
  type GalleryPlacingState,
  galleryPlacementOf,
  isAlike,
  placingOf,
} from '../visit/gallery-placing.ts'
import { AnswerForm } from './answer-form.tsx'
import { type SavedAnswer, saveChosen, saveOwn } from './saved-answer.ts'
import { SharedLook } from './shared-look.tsx'
import { SharedTile, type SharedTileProps } from './shared-tile.tsx'
import { ShownScenes } from './shown-scenes.ts'

const ARTWORK_TYPES = 'image/jpeg,image/png,image/webp,image/gif'
const noColors: ProductColors = {}

type SharedScenesProps = {
  proof: SharedProof
  /** The artwork that the shop has placed; null if there is none, and until it has loaded. */
  shown: File | null
  /** The answer saved earlier on this device. */
  saved: SavedAnswer
}

export function SharedScenes({ proof, shown, saved }: SharedScenesProps) {
  const { scenes } = proof
  const [own, setOwn] = useState(saved.own)
  const [placing, dispatch] = useReducer(changeGalleryPlacing, proof, ({ placements }) =>
    changeGalleryPlacing(beginGalleryPlacing(), {
      kind: 'restore',
      placing: saved.chosen?.placing ?? placingOf(scenes, placements),
    }),
  )
  useUndoKeys(dispatch)
  const [colors, setColors] = useState(saved.chosen?.colors ?? proof.colors)
  const [hearts, setHearts] = useState(saved.chosen?.hearts ?? [])
  const [word, setWord] = useState(saved.chosen?.word ?? '')
  const [name, setName] = useState(saved.chosen?.name ?? '')
  useSavedAnswer(proof, { own, placing, colors, hearts, word, name })
  const [shownScenes] = useState(() => new ShownScenes())
  const [opened, setOpened] = useState<string | null>(null)
  const artwork = own ?? shown ?? (proof.artwork === null ? 'none' : null)
  const size = useArtworkSize(artwork === 'none' ? null : artwork)
  const newestFile = useRef<File | null>(null)
  const takeOwn = async (file: File | undefined) => {
    if (file === undefined) return
    newestFile.current = file
    const fault = await faultOfArtwork(file)
    if (newestFile.current !== file) return
    if (fault !== null) {
      announce(fault)
      return
    }
    setOwn(file)
    announce(`“${file.name}” is in the scenes. It has not been sent.`)
  }
  useDroppedFiles('pictures', ([file]) => void takeOwn(file))
  useDroppedFiles('bundle', ([file]) => announce(`“${file?.name ?? ''}” is not a picture.`))
  const toggleHeart = useCallback((id: string) => {
    setHearts(before => (before.includes(id) ? before.filter(each => each !== id) : [...before, id]))
  }, [])
  const masonry = useMasonry(scenes)
  const placements = useMemo(
    () => Object.fromEntries(scenes.map(scene => [scene.id, galleryPlacementOf(placing.history.present, scene)])),
    [scenes, placing.history.present],
  )
  const tileOf = (scene: SharedScene): Omit<SharedTileProps, 'shown' | 'onHeart' | 'onOpen'> => {
    const placement = placements[scene.id] ?? centredCover
    const chosen = colors[scene.id] ?? noColors
    const isAsSent =
      own === null &&
      isAlike(placement, proof.placements[scene.id] ?? centredCover) &&
      isAlike(chosen, proof.colors[scene.id] ?? noColors)
    return { scene, artwork, size, placement, colors: chosen, isAsSent, dispatch, isHearted: hearts.includes(scene.id) }
  }
  const lookedAt = scenes.find(({ id }) => id === opened)
  return (
    <>
      <OwnFile
        own={own}
        hasShown={proof.artwork !== null}
        onFile={file => void takeOwn(file)}
        onPutAway={() => setOwn(null)}
      />
      {scenes.length === 0 && <p>The scenes of this link are no longer there. Ask the shop for a new one.</p>}
      <ul className="gallery masonry" ref={masonry.ref} style={masonry.style} aria-label="Scenes">
        {scenes.map((scene, index) => (
          <li key={scene.id} style={masonry.items[index]}>
            <SharedTile {...tileOf(scene)} shown={shownScenes} onHeart={toggleHeart} onOpen={setOpened} />
          </li>
        ))}
      </ul>
      {scenes.length > 0 && (
        <AnswerForm
          proof={proof}
          own={own}
          shown={shownScenes}
          hearts={hearts}
          word={word}
          onWord={setWord}
          name={name}
          onName={setName}
          placements={placements}
          colors={colors}
        />
      )}
      {lookedAt !== undefined && (
        <SharedLook
          {...tileOf(lookedAt)}
          shown={shownScenes}
          onHeart={toggleHeart}
          onColors={changed => setColors(before => ({ ...before, [lookedAt.id]: changed }))}
          onStep={by => {
            const next = scenes[(scenes.indexOf(lookedAt) + by + scenes.length) % scenes.length]
            if (next === undefined) return
            setOpened(next.id)
            announceUnseen(next.name)
          }}
          onClose={() => {
            setOpened(null)
            document.querySelector<HTMLElement>(`[data-tile="${lookedAt.id}"]`)?.focus()
          }}
        />
      )}
    </>
  )
}

type Answering = {
  own: File | null
  placing: GalleryPlacingState
  colors: SharedProof['colors']
  hearts: string[]
  word: string
  name: string
}

/** Saves each change on this device; placements once they rest. */
function useSavedAnswer({ expires_at }: SharedProof, { own, placing, colors, hearts, word, name }: Answering): void {
  const untilMs = Date.parse(expires_at)
  const newest = useRef(placing)
  // Nothing needs saving at first.
  const isBegun = useRef({ own: false, chosen: false })
  useEffect(() => {
    newest.current = placing
  })
  useEffect(() => {
    if (isBegun.current.own) saveOwn(location.pathname, own, untilMs).catch(() => undefined)
    isBegun.current.own = true
  }, [own, untilMs])
  // biome-ignore lint/correctness/useExhaustiveDependencies: saved after each gesture
  useEffect(() => {
    const chosen = { placing: newest.current.history.present, colors, hearts, word, name }
    if (isBegun.current.chosen) saveChosen(location.pathname, chosen, untilMs).catch(() => undefined)
    isBegun.current.chosen = true
  }, [placing.gesture, colors, hearts, word, name, untilMs])
}

type OwnFileProps = {
  own: File | null
  hasShown: boolean
  onFile: (file: File | undefined) => void
  onPutAway: () => void
}

function OwnFile({ own, hasShown, onFile, onPutAway }: OwnFileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <section className="panel shared-own" aria-label="Your picture">
      <p>
        {own === null ? (
          <>
            {hasShown ? 'Try a picture of your own: choose one' : 'Choose a picture'}
            <PointerWords fine=", drop it or paste it" coarse="" />. It stays on your device.
          </>
        ) : (
          <>
            <strong>{own.name}</strong> is in the scenes. It stays on your device until you send it.
          </>
        )}
      </p>
      <div className="row">
        <input
          ref={input}
          type="file"
          accept={ARTWORK_TYPES}
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Choose your picture"
          onChange={event => {
            onFile(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        <button type="button" className="button button-quiet" onClick={() => input.current?.click()}>
          {own === null ? 'Choose a picture' : 'Choose another'}
        </button>
        {own !== null && (
          <button type="button" className="button button-quiet" onClick={onPutAway}>
            {hasShown ? 'Back to the shop’s picture' : 'Remove it'}
          </button>
        )}
      </div>
    </section>
  )
}
