/** Picks, placements and colours of the wall: in its address, and kept for the day. */
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { keepWall, loadWall, type StoredWall } from '../visit/kept-work.ts'
import { type PickedCells, type Picks, togglePicks } from '../visit/picks.ts'
import { addressOfWall, type WallAddress, wallOfAddress } from '../visit/wall-address.ts'
import { beginWallPlacing, changeWallPlacing } from '../visit/wall-placing.ts'

/** The address follows when no gesture and no key has come for as long: what it costs is not paid by each. */
const REST_MS = 300

export type ChangeAddress = (change: WallAddress) => void

/** `onAddress`: puts a change into the address, in the place of what is there. */
export function useWallState(artworks: readonly File[], address: WallAddress, onAddress: ChangeAddress) {
  const { account } = useSession()
  const [state, dispatch] = useReducer(changeWallPlacing, address, begun =>
    changeWallPlacing(beginWallPlacing(), { kind: 'restore', placing: wallOfAddress(begun).placing }),
  )
  useUndoKeys(dispatch)
  const { picks, colors } = useMemo(() => wallOfAddress(address), [address])
  const placing = state.history.present
  const wall = { placing, colors, picks }
  const newest = useRef(wall)
  useEffect(() => {
    newest.current = wall
  })
  const isChanged = useRef(false)
  const change = useCallback(
    (part: Partial<typeof wall>) => {
      isChanged.current = true
      newest.current = { ...newest.current, ...part }
      onAddress(addressOfWall(newest.current))
    },
    [onAddress],
  )
  const setPicks = useCallback((changed: Picks) => change({ picks: changed }), [change])
  const pick = useCallback(
    (cells: PickedCells) => setPicks(togglePicks(newest.current.picks, cells, artworks)),
    [setPicks, artworks],
  )
  const setColors = useCallback(
    (id: string, chosen: ProductColors) => change({ colors: { ...newest.current.colors, [id]: chosen } }),
    [change],
  )
  // What was left within the day, where the address says nothing; once, and never over something newer.
  const isAsked = useRef(false)
  const isTouched = state.history.past.length + state.history.future.length > 0
  const router = useRouter()
  const restore = useEffectEvent((kept: StoredWall | null, addressAtMs: number) => {
    if (isTouched) return
    const says = address.picks !== undefined || address.place !== undefined || address.colors !== undefined
    if (kept !== null && (!says || (kept.pageAtMs ?? 0) > addressAtMs)) {
      dispatch({ kind: 'restore', placing: kept.placing })
      onAddress(addressOfWall(kept))
    }
    // An address of somebody else: templates' pages show the same.
    else if (says) keepWall(account.id, newest.current).catch(() => undefined)
  })
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    // Going back leads to what the address said before; only an address of this history has a time.
    const { wallAtMs = Infinity } = router.state.location.state
    loadWall(account.id).then(
      kept => restore(kept, wallAtMs),
      () => undefined,
    )
  }, [account.id, router])
  const keep = useEffectEvent(() => {
    if (isChanged.current) keepWall(account.id, newest.current).catch(() => undefined)
  })
  const leave = useEffectEvent(() => {
    if (isTouched) keepWall(account.id, newest.current).catch(() => undefined)
  })
  useEffect(() => () => leave(), [])
  const rested = useEffectEvent(() => {
    if (isTouched) change({})
    keep()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows at each rest
  useEffect(() => {
    const timer = setTimeout(rested, REST_MS)
    return () => clearTimeout(timer)
  }, [state.gesture])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is kept at once
  useEffect(() => keep(), [picks, colors])
  return { ...wall, dispatch, pick, setPicks, setColors }
}
