/**
 * Searches for frames when a photo is opened, or on request, and offers them until they are used.
 */
import { useEffect, useRef, useState } from 'react'
import { asError } from '../../as-error.ts'
import { announce } from '../../components/announcer.tsx'
import { isInside, type Quad } from '../quad.ts'
import { findFramesIn } from './find-frames-in.ts'

export type Finding = {
  /** Areas that may be frames, the innermost first; none while nothing is offered. */
  readonly found: readonly Quad[]
  readonly isLooking: boolean
  readonly look: () => Promise<void>
  readonly take: (quad: Quad) => void
  readonly end: () => void
}

type FindingInput = {
  readonly photo: Blob
  /** Whether the user has not made or moved a frame yet: only then the search starts by itself. */
  readonly isUntouched: boolean
  /** Drawing ends the offer. */
  readonly isDrawing: boolean
  readonly onTake: (quad: Quad) => void
}

export function useFinding({ photo, isUntouched, isDrawing, onTake }: FindingInput): Finding {
  const [found, setFound] = useState<readonly Quad[]>([])
  const [isLooking, setLooking] = useState(false)
  const isStill = useRef(isUntouched)
  isStill.current = isUntouched
  useEffect(() => {
    setFound([])
    if (!isStill.current) return
    let isLeft = false
    findFramesIn(photo).then(
      quads => {
        // Does not hide frames that were started meanwhile.
        if (isLeft || quads.length === 0 || !isStill.current) return
        setFound(quads)
        announce(foundInWords(quads.length))
      },
      // Not shown, because the user did not request it: the button reports the error.
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [photo])
  useEffect(() => {
    if (isDrawing) setFound([])
  }, [isDrawing])
  const look = async () => {
    setLooking(true)
    try {
      const quads = await findFramesIn(photo)
      setFound(quads)
      announce(quads.length === 0 ? 'Nothing in this photo looks like a frame: draw one.' : foundInWords(quads.length))
    } catch (failure) {
      announce(asError(failure).message)
    } finally {
      setLooking(false)
    }
  }
  const take = (quad: Quad) => {
    onTake(quad)
    // Those around it and inside are other readings of the same frame.
    setFound(others => others.filter(other => other !== quad && !isInside(other, quad) && !isInside(quad, other)))
  }
  return { found, isLooking, look, take, end: () => setFound([]) }
}

const foundInWords = (count: number): string => `${count} ${count === 1 ? 'area looks' : 'areas look'} like a frame.`
