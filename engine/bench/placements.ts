import { centredCover, type Placement } from '../src/index.ts'
import { measureInTurn, type Task } from './measure.ts'
import { codec, discard, jpeg, loadSubject, render, withDecoded } from './mockups.ts'
import { prepareScene, type SceneKind } from './scenes.ts'

/** CPU milliseconds of mockups with artwork placed in a way: whole, and with the artwork decoded before. */
export type PlacementCost = {
  readonly name: string
  readonly on: SceneKind['placement']
  readonly coldMs: number
  readonly warmMs: number
  /** over that of artwork that fills the frame */
  readonly coldRatio: number
}

const DEFAULT = 'default'
export const ROTATED = 'rotated by 17 degrees'

const placements: Readonly<Record<string, Partial<Placement>>> = {
  [DEFAULT]: {},
  [ROTATED]: { rotation: 17 },
  'contain with a margin': { fit: 'contain', scale: 0.9 },
  'a fifth of the size': { scale: 0.2 },
  'six times the size': { scale: 6 },
  'tiles of 0.15 of the size': { scale: 0.15, repeat: 'tile' },
}

const scenes = ['corners', 'map'] as const satisfies readonly SceneKind['placement'][]

/** The default mockup and its siblings by a map, with each kind of placement, all in turn. */
export async function measurePlacements(
  base: SceneKind,
  artwork: Uint8Array,
  rounds: number,
): Promise<readonly PlacementCost[]> {
  const tasks = new Map<string, Task>()
  const nameTasks = (on: SceneKind['placement'], name: string) =>
    [`${on}, ${name}, cold`, `${on}, ${name}, warm`] as const
  for (const on of scenes) {
    const prepared = await prepareScene({ ...base, placement: on }, codec)
    for (const [name, placement] of Object.entries(placements)) {
      const subject = await loadSubject(prepared, artwork, { all: { ...centredCover, ...placement } })
      const warmCodec = withDecoded(subject)
      const [cold, warm] = nameTasks(on, name)
      tasks.set(cold, () => discard(render(subject, jpeg)))
      tasks.set(warm, () => discard(render(subject, jpeg, warmCodec)))
    }
  }
  const costs = await measureInTurn(tasks, rounds)
  const find = (on: SceneKind['placement'], name: string): readonly [cold: number, warm: number] => {
    const [cold, warm] = nameTasks(on, name)
    return [costs.get(cold) ?? Number.NaN, costs.get(warm) ?? Number.NaN]
  }
  return scenes.flatMap(on =>
    Object.keys(placements).map(name => {
      const [plainColdMs] = find(on, DEFAULT)
      const [coldMs, warmMs] = find(on, name)
      return { name, on, coldMs, warmMs, coldRatio: coldMs / plainColdMs }
    }),
  )
}
