/** The artwork that every template's page shows: a picture that is dropped on the gallery becomes it. */
import './chosen-artwork.css'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../format.ts'
import { chosenQuery, keepChosen } from '../kept-work.ts'
import { defaultOutput } from '../mockups.ts'
import { useSession } from '../session/session.ts'
import { ArtworkThumbnail } from '../wall/artwork-thumbnail.tsx'
import { scenePool } from '../wall/scene-pool.ts'
import { useWorn } from '../wall/use-worn.ts'
import { announce, announceUnseen } from './announcer.tsx'
import { Button } from './controls.tsx'

export function ChosenArtwork() {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id)).data ?? null
  const { length: count, 0: first } = useWorn()
  if (chosen === null || first === undefined) return null
  const putAway = async () => {
    await keepChosen(account.id, null)
    announce(`Put “${first.name}”${others(count)} away.`, { undo: () => keepChosen(account.id, chosen) })
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

/** What follows the name of the first of some artworks: how many others there are. */
const others = (count: number): string => (count > 1 ? ` and ${formatCount(count - 1)} more` : '')
const areChosen = (count: number): string =>
  count > 1 ? `${others(count)} are shown in every scene.` : ' is shown in every scene.'

/** Chooses the pictures for every template's page. */
export async function chooseArtworks(accountId: string, files: readonly File[]): Promise<void> {
  const [first] = files
  // Before anything else: the scenes wait for it.
  if (first !== undefined) scenePool.expect(first)
  await keepChosen(accountId, { files, output: defaultOutput }).catch(() => undefined)
  announceUnseen(`“${first?.name ?? ''}”${areChosen(files.length)}`)
}
