/** The photo, zoomed and scrolled, with what is drawn over it and a magnifier at the dragged point. */
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Point } from './draft.ts'
import { Magnifier } from './magnifier.tsx'
import type { ScenePoint } from './stage-handle.tsx'
import type { useStageZoom } from './use-stage-zoom.ts'

/** Enough for a stage of 900 CSS pixels on a dense screen. */
const STAGE_PHOTO_WIDTH_PX = 1800
/** Larger zooms are not needed: the magnifier shows the pixels. */
const ZOOMED_PHOTO_WIDTH_MAX_PX = 4096

type Overlaid = {
  /** CSS pixels per scene pixel. */
  readonly scale: number
  readonly scenePoint: ScenePoint
  /** The point that is being dragged; null: none. */
  readonly onActive: (point: Point | null) => void
}

type StageViewProps = {
  scene: { readonly widthPx: number; readonly heightPx: number }
  photo: ImageBitmap
  view: RefObject<HTMLDivElement | null>
  zooming: ReturnType<typeof useStageZoom>
  isMagnified: boolean
  /** Drawn once the stage is laid out. */
  children: (overlaid: Overlaid) => ReactNode
}

export function StageView({ scene, photo, view, zooming, isMagnified, children }: StageViewProps) {
  const surface = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Point | null>(null)
  const scale = useScale(surface, scene.widthPx)
  const { zoom } = zooming.shown
  const ratio = scene.widthPx / scene.heightPx
  const shape: CSSProperties & { '--ratio': number } = { '--ratio': ratio }
  const scenePoint: ScenePoint = event => {
    const box = surface.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return [0, 0]
    const perPixel = scene.widthPx / box.width
    return [(event.clientX - box.left) * perPixel, (event.clientY - box.top) * perPixel]
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons above the picture do the same
    <div ref={view} className={zoom > 1 ? 'stage-view stage-zoomed' : 'stage-view'} style={shape} {...zooming.handlers}>
      <div
        className={active === null ? 'stage' : 'stage stage-moving'}
        ref={surface}
        style={{ width: `${zoom * 100}%` }}
      >
        <StagePhoto photo={photo} zoom={zoom} />
        {scale > 0 && children({ scale, scenePoint, onActive: setActive })}
        {active !== null && scale > 0 && isMagnified && (
          <Magnifier photo={photo} point={active} scale={scale} view={view.current} />
        )}
      </div>
    </div>
  )
}

/** CSS pixels per scene pixel; 0 until the stage is laid out. */
function useScale(surface: RefObject<HTMLDivElement | null>, widthPx: number): number {
  const [scale, setScale] = useState(0)
  useEffect(() => {
    const element = surface.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScale(element.clientWidth / widthPx))
    observer.observe(element)
    return () => observer.disconnect()
  }, [surface, widthPx])
  return scale
}

type StagePhotoProps = { photo: ImageBitmap; zoom: number }

/** The photo at about the stage's size, so that the compositor moves no more pixels than the screen has. */
function StagePhoto({ photo, zoom }: StagePhotoProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const wanted = zoom > 1 ? ZOOMED_PHOTO_WIDTH_MAX_PX : STAGE_PHOTO_WIDTH_PX
  const scale = Math.min(1, wanted / photo.width)
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)]
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    context.imageSmoothingQuality = 'high'
    context.drawImage(photo, 0, 0, width, height)
  }, [photo, width, height])
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      className="stage-photo"
      role="img"
      aria-label="The photo that becomes the scene"
    />
  )
}
