/** The artwork that every template's page shows. A picture dropped in the gallery replaces it. */
import './chosen-artwork.css'
import { useQuery } from '@tanstack/react-query'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { ArtworkThumbnail } from '../scenes/artwork-thumbnail.tsx'
import { areChosen, others } from '../scenes/choose-artworks.ts'
import { useSession } from '../session/session.ts'
import { chosenQuery, saveChosen } from '../visit/saved-work.ts'
import { useChosenArtworks } from '../visit/use-chosen-artworks.ts'

export function ChosenArtwork() {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id)).data ?? null
  const { length: count, 0: first } = useChosenArtworks()
  if (chosen === null || first === undefined) return null
  const putAway = async () => {
    await saveChosen(account.id, null)
    announce(`Cleared “${first.name}”${others(count)}.`, { undo: () => saveChosen(account.id, chosen) })
  }
  return (
    <div className="chosen-artwork panel">
      <ArtworkThumbnail file={first} />
      <p>
        <strong>{first.name}</strong>
        {areChosen(count)}
      </p>
      <Button className="button-small" onClick={() => void putAway()}>
        Clear<span className="visually-hidden">{` ${first.name}${others(count)}`}</span>
      </Button>
    </div>
  )
}
