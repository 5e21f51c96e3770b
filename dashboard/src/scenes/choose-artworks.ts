/** Artworks that are dropped, pasted or picked. Each is decoded before any scene shows it. */
import { announce, announceUnseen } from '../components/announcer.tsx'
import { formatCount } from '../format.ts'
import { defaultOutput } from '../visit/mockups.ts'
import { addToDock, chosenNow, isSameFile, saveChosen } from '../visit/saved-work.ts'
import { faultOfArtwork } from './fault-of-artwork.ts'

/** Refused files that are named in the message; the others are counted. */
const NAMED_MAX = 3

/**
 * Chooses artworks for every page, after those in `stay`. If no file can be used, the previous choice
 * remains; so does a newer choice made meanwhile.
 */
export async function chooseArtworks(
  accountId: string,
  files: readonly File[],
  stay: readonly File[] = [],
): Promise<void> {
  const faults: string[] = []
  let chosen = stay
  let ours = chosenNow(accountId)
  let unshown: readonly File[] = []
  for (const [index, file] of files.entries()) {
    const fault = await faultOfArtwork(file)
    if (fault !== null) faults.push(fault)
    else if (!chosen.some(known => isSameFile(known, file))) {
      chosen = [...chosen, file]
      unshown = [...unshown, file]
    }
    // Of several, the first waits for the second: a single artwork would be shown in another layout.
    if (unshown.length === 0 || (chosen.length === 1 && index + 1 < files.length)) continue
    const isNewest = chosenNow(accountId) === ours
    const stored = isNewest
      ? saveChosen(accountId, { files: chosen, output: defaultOutput })
      : addToDock(accountId, unshown)
    if (isNewest) ours = chosenNow(accountId)
    await stored.catch(() => announce('This browser cannot store these artworks: a reload would lose them.'))
    unshown = []
  }
  if (faults.length > 0) announce(faultsInWords(faults, files.length))
  else announceUnseen(`“${files[0]?.name ?? ''}”${areChosen(files.length)}`)
}

function faultsInWords(faults: readonly string[], of: number): string {
  if (of === 1) return faults.join('')
  const others = faults.length - NAMED_MAX
  return [
    `${formatCount(faults.length)} of ${formatCount(of)} files ${faults.length === 1 ? 'was' : 'were'} not added.`,
    ...faults.slice(0, NAMED_MAX),
    ...(others > 0 ? [`And ${formatCount(others)} more.`] : []),
  ].join(' ')
}

/** The words after the first artwork's name: how many others there are. */
export const others = (count: number): string => (count > 1 ? ` and ${formatCount(count - 1)} more` : '')

export const areChosen = (count: number): string =>
  count > 1 ? `${others(count)} are shown in every scene.` : ' is shown in every scene.'
