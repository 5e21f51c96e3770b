/** Picks, placements and colours of the gallery: in its address, and saved for a day. */
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { addressOfGallery, type GalleryAddress, galleryOfAddress } from '../visit/gallery-address.ts'
import { beginGalleryPlacing, changeGalleryPlacing } from '../visit/gallery-placing.ts'
import { type PickedCells, type Picks, togglePicks } from '../visit/picks.ts'
import { loadGallery, type StoredGallery, saveGallery } from '../visit/saved-work.ts'

/** The address is updated after a rest this long; updating it for every gesture or key would be slow. */
const REST_MS = 300

export type ChangeAddress = (change: GalleryAddress) => void

/** `onAddress` replaces the current address by the changed one. */
export function useGalleryState(artworks: readonly File[], address: GalleryAddress, onAddress: ChangeAddress) {
  const { account } = useSession()
  const [state, dispatch] = useReducer(changeGalleryPlacing, address, begun =>
    changeGalleryPlacing(beginGalleryPlacing(), { kind: 'restore', placing: galleryOfAddress(begun).placing }),
  )
  useUndoKeys(dispatch)
  const { picks, colors } = useMemo(() => galleryOfAddress(address), [address])
  const placing = state.history.present
  const gallery = { placing, colors, picks }
  const newest = useRef(gallery)
  useEffect(() => {
    newest.current = gallery
  })
  const isChanged = useRef(false)
  const change = useCallback(
    (part: Partial<typeof gallery>) => {
      isChanged.current = true
      newest.current = { ...newest.current, ...part }
      onAddress(addressOfGallery(newest.current))
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
  // Restores what was saved within a day if the address says nothing; once, and never over something newer.
  const isAsked = useRef(false)
  const isTouched = state.history.past.length + state.history.future.length > 0
  const router = useRouter()
  const restore = useEffectEvent((saved: StoredGallery | null, addressAtMs: number) => {
    if (isTouched) return
    const says = address.picks !== undefined || address.place !== undefined || address.colors !== undefined
    if (saved !== null && (!says || (saved.pageAtMs ?? 0) > addressAtMs)) {
      dispatch({ kind: 'restore', placing: saved.placing })
      onAddress(addressOfGallery(saved))
    }
    // The address came from elsewhere: templates' pages show the same.
    else if (says) saveGallery(account.id, newest.current).catch(() => undefined)
  })
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    // Going back leads to an older address; only addresses of this history have a time.
    const { galleryAtMs = Infinity } = router.state.location.state
    loadGallery(account.id).then(
      saved => restore(saved, galleryAtMs),
      () => undefined,
    )
  }, [account.id, router])
  const keep = useEffectEvent(() => {
    if (isChanged.current) saveGallery(account.id, newest.current).catch(() => undefined)
  })
  const leave = useEffectEvent(() => {
    if (isTouched) saveGallery(account.id, newest.current).catch(() => undefined)
  })
  useEffect(() => () => leave(), [])
  const rested = useEffectEvent(() => {
    if (isTouched) change({})
    keep()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each gesture
  useEffect(() => {
    const timer = setTimeout(rested, REST_MS)
    return () => clearTimeout(timer)
  }, [state.gesture])
  // biome-ignore lint/correctness/useExhaustiveDependencies: picks and colours are saved at once
  useEffect(() => keep(), [picks, colors])
  return { ...gallery, dispatch, pick, setPicks, setColors }
}
