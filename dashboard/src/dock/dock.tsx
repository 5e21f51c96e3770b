/** The artworks of this visit, at the foot of the navigation. Every page shows the chosen ones. */
import './dock.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { giveFiles } from '../components/file-drops.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { formatCount } from '../format.ts'
import { ArtworkThumbnail } from '../scenes/artwork-thumbnail.tsx'
import { useSession } from '../session/session.ts'
import { defaultOutput } from '../visit/mockups.ts'
import { chosenQuery, type DockArtwork, dockQuery, isSameFile, saveChosen, takeOutOfDock } from '../visit/saved-work.ts'

/** The resolution at which a print looks sharp from arm's length. */
const PRINT_DPI = 300
const CM_PER_INCH = 2.54

export function Dock() {
  const { account } = useSession()
  const artworks = useQuery(dockQuery(account.id)).data ?? []
  const chosen = useQuery(chosenQuery(account.id)).data ?? null
  const [isSeveral, setSeveral] = useState(false)
  const isShown = (artwork: DockArtwork): boolean => chosen?.files.some(file => isSameFile(file, artwork.file)) === true
  const choose = (files: readonly File[]) =>
    saveChosen(account.id, files.length === 0 ? null : { files, output: chosen?.output ?? defaultOutput }).catch(
      () => undefined,
    )
  const toggle = (artwork: DockArtwork, isAdded: boolean) => {
    const others = (chosen?.files ?? []).filter(
      (file, index, all) => !isSameFile(file, artwork.file) && all.findIndex(each => isSameFile(each, file)) === index,
    )
    if (isShown(artwork) && (isAdded || others.length === 0)) return choose(others)
    return choose(isAdded ? [...others, artwork.file] : [artwork.file])
  }
  const takeOut = async (artwork: DockArtwork) => {
    if (isShown(artwork)) await toggle(artwork, true)
    await takeOutOfDock(account.id, artwork.id)
    announce(`Removed “${artwork.file.name}”.`, { undo: () => choose([artwork.file]) })
  }
  return (
    <section className="dock" aria-label="Artworks of this visit">
      {artworks.length === 0 ? (
        <p className="quiet dock-empty">
          <PointerWords fine="Drop a picture anywhere" coarse="No artwork yet" />
        </p>
      ) : (
        <ul className="dock-artworks">
          {artworks.map(artwork => (
            <li key={artwork.id}>
              <DockItem
                artwork={artwork}
                isChosen={isShown(artwork)}
                onChoose={isAdded => void toggle(artwork, isAdded || isSeveral)}
                onTakeOut={() => void takeOut(artwork)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="row dock-actions">
        <FilePicker label="Artwork for every scene" className="button-small" onFiles={giveFiles}>
          Add<span className="visually-hidden"> artworks</span>
        </FilePicker>
        {artworks.length > 1 && (
          <Button className="button-small" aria-pressed={isSeveral} onClick={() => setSeveral(!isSeveral)}>
            Show several
          </Button>
        )}
      </div>
    </section>
  )
}

type DockItemProps = {
  artwork: DockArtwork
  isChosen: boolean
  onChoose: (isAdded: boolean) => void
  onTakeOut: () => void
}

function DockItem({ artwork: { file }, isChosen, onChoose, onTakeOut }: DockItemProps) {
  const [size, setSize] = useState<readonly [number, number] | null>(null)
  const facts = size === null ? '' : `, ${formatCount(size[0])} × ${formatCount(size[1])} px, ${printSize(size)}`
  return (
    <>
      <button
        type="button"
        className="dock-artwork"
        aria-pressed={isChosen}
        aria-label={`${file.name}${facts}`}
        title={`${file.name}${facts}`}
        onClick={event => onChoose(event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        <ArtworkThumbnail file={file} onSize={(widthPx, heightPx) => setSize([widthPx, heightPx])} />
      </button>
      <button type="button" className="dock-out" aria-label={`Take ${file.name} out`} onClick={onTakeOut}>
        <span aria-hidden="true">×</span>
      </button>
    </>
  )
}

const printSize = ([width, height]: readonly [number, number]): string => {
  const [across, down] = [width, height].map(side => Math.floor((side / PRINT_DPI) * CM_PER_INCH))
  return `${PRINT_DPI} dpi up to ${across} × ${down} cm`
}
