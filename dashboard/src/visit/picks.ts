/**
 * Picks of the gallery: a template id picks its scene for every artwork, `id~artwork` for one of them.
 * Addresses contain neither names nor pixels of artworks.
 */
export type Picks = readonly string[]

/** Scenes and artworks that are ticked together: a cell, a row, a column or all. */
export type PickedCells = { readonly ids: readonly string[]; readonly artworks: readonly File[] }

const NAME_CHARACTERS = 4
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a of the file's name, size and time, which survive a reload. */
function nameOf({ name, size, lastModified }: File): string {
  let hash = FNV_OFFSET
  for (const unit of `${name} ${size} ${lastModified}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), FNV_PRIME)
  return (hash >>> 0).toString(36).padStart(NAME_CHARACTERS, '0').slice(-NAME_CHARACTERS)
}

const cellOf = (id: string, artwork: File): string => `${id}~${nameOf(artwork)}`
const sceneOf = (pick: string): string => pick.split('~', 1)[0] ?? pick

export const isPicked = (picks: ReadonlySet<string>, id: string, artwork: File): boolean =>
  picks.has(id) || picks.has(cellOf(id, artwork))

/** The ids of scenes in which any of these artworks is picked. */
export function pickedScenes(picks: Picks, artworks: readonly File[]): ReadonlySet<string> {
  const names = new Set(artworks.map(nameOf))
  const picked = picks.filter(pick => !pick.includes('~') || names.has(pick.slice(pick.indexOf('~') + 1)))
  return new Set(picked.map(sceneOf))
}

export type Share = 'none' | 'some' | 'all'

export function shareOf(picks: ReadonlySet<string>, { ids, artworks }: PickedCells): Share {
  const count = ids.reduce((sum, id) => sum + artworks.filter(artwork => isPicked(picks, id, artwork)).length, 0)
  if (count === 0) return 'none'
  return count === ids.length * artworks.length ? 'all' : 'some'
}

/** Picks all of these cells, or unpicks them if all are picked. `chosen`: every artwork shown now. */
export function togglePicks(picks: Picks, cells: PickedCells, chosen: readonly File[]): Picks {
  const isOn = shareOf(new Set(picks), cells) !== 'all'
  return isOn ? withPicks(picks, cells, chosen) : withoutPicks(picks, cells, chosen)
}

/** A single artwork is picked as every artwork, so that the next single artwork has the same scenes. */
export function withPicks(picks: Picks, { ids, artworks }: PickedCells, chosen: readonly File[]): Picks {
  const known = new Set(picks)
  const added = ids.flatMap(id => {
    const isForEvery = chosen.length === 1 && !picks.some(pick => pick.startsWith(`${id}~`))
    return artworks
      .filter(artwork => !isPicked(known, id, artwork))
      .map(artwork => (isForEvery ? id : cellOf(id, artwork)))
  })
  return [...picks, ...added]
}

export function withoutPicks(picks: Picks, { ids, artworks }: PickedCells, chosen: readonly File[]): Picks {
  const gone = new Set(ids.flatMap(id => artworks.map(artwork => cellOf(id, artwork))))
  const others = chosen.filter(artwork => !artworks.includes(artwork))
  const scenes = new Set(ids)
  return picks.flatMap(pick => {
    if (scenes.has(pick)) return others.map(artwork => cellOf(pick, artwork))
    return gone.has(pick) ? [] : [pick]
  })
}

/** `one,two;x1y2.z3w4~one,three`: scenes for every artwork, then groups of scenes with the same artworks. */
export function picksInWords(picks: Picks): string {
  const artworksOf = new Map<string, string[]>()
  for (const pick of picks) {
    const [id = pick, name] = pick.split('~')
    const names = artworksOf.get(id) ?? []
    if (name !== undefined) names.push(name)
    artworksOf.set(id, names)
  }
  const groups = Map.groupBy(artworksOf, ([, names]) => names.toSorted().join('.'))
  return [...groups].map(([names, of]) => (names === '' ? '' : `${names}~`) + of.map(([id]) => id).join(',')).join(';')
}

export function picksOfWords(words: string): Picks {
  return words.split(';').flatMap(group => {
    const [first = '', second] = group.split('~')
    const ids = (second ?? first).split(',').filter(id => id !== '')
    return second === undefined ? ids : first.split('.').flatMap(name => ids.map(id => `${id}~${name}`))
  })
}
