import type { Draft } from './draft.ts'
import { isConvex } from './quad.ts'

/** What stands against saving, in words that say what to do. The service checks the rest, file by file. */
export function faultsOf(draft: Draft): string[] {
  const faults: string[] = []
  if (draft.name.trim() === '') faults.push('Give the template a name.')
  if (draft.category.trim() === '') faults.push('Give the template a category.')
  if (draft.frames.length === 0) faults.push('Add a frame.')
  for (const [index, frame] of draft.frames.entries()) {
    if (frame.corners !== null && !isConvex(frame.corners))
      faults.push(`Frame ${index + 1} crosses itself: move its corners apart.`)
  }
  if (draft.drawing !== null) faults.push('Finish or cancel the shape that you are drawing.')
  return faults
}
