/** The artwork that every template's page shows: a picture that is dropped on the gallery becomes it. */
import './chosen-artwork.css'
import { useQuery } from '@tanstack/react-query'
import { chosenQuery, keepChosen } from '../kept-work.ts'
import { defaultOutput } from '../mockups.ts'
import { useSession } from '../session/session.ts'
import { ArtworkThumbnail } from '../wall/artwork-thumbnail.tsx'
import { scenePool } from '../wall/scene-pool.ts'
import { announce, announceUnseen } from './announcer.tsx'
import { Button } from './controls.tsx'

export function ChosenArtwork() {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id)).data ?? null
  const [first] = chosen?.files ?? []
  if (chosen === null || first === undefined) return null
  const putAway = async () => {
    await keepChosen(account.id, null)
    announce(`Put “${first.name}” away.`, { undo: () => keepChosen(account.id, chosen) })
  }
  return (
    <div className="chosen-artwork panel">
      <ArtworkThumbnail file={first} />
      <p>
        <strong>{first.name}</strong> is chosen. Every scene wears it.
      </p>
      <Button className="button-small" onClick={() => void putAway()}>
        Put away<span className="visually-hidden"> {first.name}</span>
      </Button>
    </div>
  )
}

/** Chooses the pictures for every template's page. */
export async function chooseArtworks(accountId: string, files: readonly File[]): Promise<void> {
  const [first] = files
  // Before anything else: the scenes wait for it.
  if (first !== undefined) scenePool.expect(first)
  await keepChosen(accountId, { files, output: defaultOutput }).catch(() => undefined)
  announceUnseen(`“${first?.name ?? ''}” is chosen. Every scene wears it.`)
}
