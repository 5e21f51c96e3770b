import './template-picture.css'
import type { DashboardTemplate } from '@vitrine/contract'
import { memo, useCallback, useState } from 'react'

type TemplatePictureProps = {
  template: Pick<DashboardTemplate, 'thumbnail_url' | 'look'>
  alt: string
  lazy?: boolean
  /** Shows each frame's number in it. */
  numbered?: boolean
}

/** A template's picture at its aspect ratio, blurred until loaded. Hovering shows the frames. */
export const TemplatePicture = memo(function TemplatePicture({
  template: { thumbnail_url, look },
  alt,
  lazy = false,
  numbered = false,
}: TemplatePictureProps) {
  const [loaded, setLoaded] = useState(false)
  // A picture that loaded before React attached will not fire its load event again.
  const attach = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete === true && element.naturalWidth > 0) setLoaded(true)
  }, [])
  if (thumbnail_url === null) return <span className="framed card-missing">No picture yet</span>
  return (
    <span
      className={loaded || look === null ? 'framed framed-loaded' : 'framed'}
      style={look === null ? {} : { aspectRatio: `${look.width_px} / ${look.height_px}` }}
    >
      {look !== null && <img className="framed-tiny" src={look.tiny} alt="" aria-hidden="true" />}
      <img
        ref={attach}
        className="framed-picture"
        src={new URL(thumbnail_url, location.href).pathname}
        alt={alt}
        {...(look === null ? {} : { width: look.width_px, height: look.height_px })}
        loading={lazy ? 'lazy' : 'eager'}
        decoding="async"
        onLoad={() => setLoaded(true)}
      />
      {look !== null && <Outlines look={look} numbered={numbered} />}
    </span>
  )
})

/** Empty space of a template's picture while it is out of sight; its elements are most of a tile's. */
export function PictureRoom({
  look: { width_px, height_px },
}: {
  look: Pick<OutlinesProps['look'], 'width_px' | 'height_px'>
}) {
  return <span className="framed" style={{ aspectRatio: `${width_px} / ${height_px}` }} />
}

type OutlinesProps = {
  look: NonNullable<DashboardTemplate['look']>
  numbered: boolean
  /** Index of the frame marked as drop target. */
  target?: number | null
}

/** The outlines of a template's frames, drawn over its picture. */
export function Outlines({ look, numbered, target = null }: OutlinesProps) {
  const { width_px: width, height_px: height } = look
  const radius = width * 0.028
  return (
    <svg className="framed-outlines" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {look.outlines.map((outline, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame is named by its index
        <g key={index} className={index === target ? 'frame-target' : undefined}>
          <polygon points={outline.map(([x, y]) => `${x * width},${y * height}`).join(' ')} />
          {numbered && look.outlines.length > 1 && outline.length > 0 && (
            <g
              transform={`translate(${mean(outline.map(([x]) => x)) * width} ${mean(outline.map(([, y]) => y)) * height})`}
            >
              <circle r={radius} />
              <text fontSize={radius * 1.2}>{index + 1}</text>
            </g>
          )}
        </g>
      ))}
    </svg>
  )
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
