/** Takes files dropped or pasted anywhere, so that the browser never opens one in place of the page. */
import './file-drops.css'
import { isSystemFile } from '@vitrine/engine'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { formatAdvice, isCameraFormat } from '../format-advice.ts'
import { announce } from './announcer.tsx'
import { Observable } from './observable.ts'

declare global {
  /** From early-drops.js: stops listening and returns the files dropped so far. */
  var takeEarlyDrops: (() => File[]) | undefined
}

type TakeFiles = (files: File[]) => void
/** `photos`: pictures in formats that are not accepted as artwork but that some browsers read. */
type FileKind = 'pictures' | 'photos' | 'bundle' | 'photoshop'

const isBundle = ({ name, type }: File): boolean => /\.zip$/i.test(name) || /zip/.test(type)

const isPhotoshop = ({ name }: File): boolean => /\.ps[db]$/i.test(name)

/** Only the file's type: a picture that cannot be decoded is explained where it is shown. */
export const isPicture = (file: File): boolean => file.type.startsWith('image/') && !isPhotoshop(file)

/** Components mount one after another. After this time without a new one, all are mounted. */
const MOUNTED_AFTER_MS = 400
/** Files that are still waiting after this time are announced. */
const TOLD_AFTER_MS = 2000

/**
 * Passes files to the component of each kind that was mounted last. Files that arrive before the page is
 * ready, or before signing in, wait.
 */
class FileDrops extends Observable {
  readonly #takers: Readonly<Record<FileKind, TakeFiles[]>> = {
    pictures: [],
    photos: [],
    bundle: [],
    photoshop: [],
  }
  #waiting: { readonly kind: FileKind; readonly files: File[] }[] = []
  #mountedMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isDragging = false

  register(kind: FileKind, take: TakeFiles): () => void {
    const takers = this.#takers[kind]
    takers.push(take)
    this.#mountedMs = performance.now()
    this.#giveLater()
    return () => {
      takers.splice(takers.indexOf(take), 1)
    }
  }

  give(given: readonly File[]): void {
    const files = given.filter(({ name }) => !isSystemFile(name))
    const bundles = files.filter(isBundle)
    const pictures = files.filter(file => isPicture(file) && formatAdvice(file) === null)
    const photos = this.#takers.photos.length === 0 ? [] : files.filter(isCameraFormat)
    const taken = [...bundles, ...pictures, ...photos]
    const other = files.find(file => !taken.includes(file) && !isPhotoshop(file))
    if (other !== undefined)
      announce(formatAdvice(other) ?? `“${other.name}” is not a picture, a Photoshop file or a bundle zip.`)
    const documents = files.filter(isPhotoshop)
    this.#give('photoshop', documents.length === 2 ? documents : documents.slice(0, 1))
    this.#give('bundle', bundles.slice(0, 1))
    this.#give('pictures', pictures)
    this.#give('photos', photos)
  }

  #give(kind: FileKind, files: File[]): void {
    const [first] = files
    if (first === undefined) return
    const take = this.#takers[kind].at(-1)
    const isMounted = performance.now() - this.#mountedMs >= MOUNTED_AFTER_MS
    // Queued behind files that are still waiting, since scenes show the newest picture.
    if (take !== undefined && isMounted && !this.#waiting.some(given => given.kind === kind)) {
      take(files)
      return
    }
    const given = { kind, files }
    this.#waiting.push(given)
    this.#giveLater()
    setTimeout(() => {
      if (this.#waiting.includes(given))
        announce(`“${first.name}” is used once this page is ready or you have signed in.`)
    }, TOLD_AFTER_MS)
  }

  #giveLater(): void {
    if (this.#waiting.length === 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const waiting = this.#waiting
      this.#waiting = waiting.filter(({ kind }) => this.#takers[kind].length === 0)
      for (const { kind, files } of waiting) this.#takers[kind].at(-1)?.(files)
    }, MOUNTED_AFTER_MS)
  }

  setDragging(isDragging: boolean): void {
    if (this.#isDragging === isDragging) return
    this.#isDragging = isDragging
    this.notify()
  }

  readonly isDragging = (): boolean => this.#isDragging
}

const drops = new FileDrops()

/** Passes on files that arrived other than by a drop. */
export const giveFiles = (files: readonly File[]): void => drops.give(files)

/** Whether files are being dragged over the window. */
export const useFilesDragged = (): boolean => useSyncExternalStore(drops.subscribe, drops.isDragging)

/** Takes files of a kind that are dropped on the window while the component is mounted. */
export function useDroppedFiles(kind: FileKind, take: TakeFiles): void {
  const newest = useRef(take)
  useEffect(() => {
    newest.current = take
  })
  useEffect(() => drops.register(kind, files => newest.current(files)), [kind])
}

/**
 * Listens to the window. Components that handle a drop themselves prevent its default. `hint`: shown while
 * files are over the window.
 */
export function FileDropTarget({
  hint = 'Drop a picture to use it, or a PSD, PSB or bundle zip to import it',
}: {
  hint?: string
}) {
  const isDragged = useFilesDragged()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    addEventListener(
      'dragover',
      event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        drops.setDragging(true)
      },
      { signal },
    )
    addEventListener('dragleave', event => event.relatedTarget === null && drops.setDragging(false), { signal })
    addEventListener(
      'drop',
      event => {
        drops.setDragging(false)
        if (!hasFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        drops.give([...(event.dataTransfer?.files ?? [])])
      },
      { signal },
    )
    addEventListener(
      'paste',
      event => {
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length === 0 || event.defaultPrevented) return
        event.preventDefault()
        drops.give(files)
      },
      { signal },
    )
    const early = globalThis.takeEarlyDrops?.() ?? []
    if (early.length > 0) drops.give(early)
    return () => controller.abort()
  }, [])
  return isDragged ? <p className="file-drop-hint">{hint}</p> : null
}
