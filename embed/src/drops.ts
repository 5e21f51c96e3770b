/** Handles files dropped on an element. */
import type { Client } from '@vitrine/live'

type DropsInput = {
  readonly isWanted: () => boolean
  /** Called with the first dropped file and its position. */
  readonly onFile: (file: File, at: Client) => void
}

export function attachDrops(scene: HTMLElement, { isWanted, onFile }: DropsInput): void {
  const takes = ({ dataTransfer }: DragEvent): boolean => isWanted() && dataTransfer?.types.includes('Files') === true
  for (const kind of ['dragenter', 'dragover'] as const)
    scene.addEventListener(kind, event => {
      if (!takes(event)) return
      event.preventDefault()
      scene.classList.add('dropping')
    })
  scene.addEventListener('dragleave', () => scene.classList.remove('dropping'))
  scene.addEventListener('drop', event => {
    scene.classList.remove('dropping')
    const [file] = event.dataTransfer?.files ?? []
    if (!takes(event)) return
    event.preventDefault()
    if (file !== undefined) onFile(file, event)
  })
}
