/** A uPlot bar chart per day, and the same figures as a table for users who cannot see it. */
import './chart.css'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatCount, formatDay } from '../format.ts'

type Series = { label: string; color: string; values: readonly number[] }
type ChartProps = { title: string; days: readonly string[]; series: readonly Series[] }

const DAY_S = 86_400
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** A canvas needs the theme's current colours. `onDay` gets the index of the hovered day, or null. */
function draw(element: HTMLElement, { days, series }: ChartProps, onDay: (index: number | null) => void): uPlot {
  const color = (name: string) => {
    element.style.color = `var(${name})`
    return getComputedStyle(element).color
  }
  const font = '13px "Source Sans 3 Variable", system-ui, sans-serif'
  const axis = { font, stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  return new uPlot(
    {
      width: element.clientWidth,
      height: 220,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        // Room for the full width of the first and last bars.
        x: { range: (_, low, high) => [low - DAY_S / 2, high + DAY_S / 2] },
        y: { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] },
      },
      axes: [
        axis,
        {
          ...axis,
          size: 56,
          values: (_, splits) => splits.map(value => (Number.isInteger(value) ? formatCount(value) : '')),
        },
      ],
      series: [
        {},
        ...series.map(({ label, color: name }) => ({
          label,
          fill: color(name),
          // A stroke would be visible on days without a value.
          width: 0,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        })),
      ],
    },
    [days.map(secondsOf), ...series.map(({ values }) => [...values])],
    element,
  )
}

/** Text for the day at `index` with its values. */
function valuesOf({ days, series }: ChartProps, index: number): string {
  const values = series.map(({ label, values: all }) => `${label} ${formatCount(all[index] ?? 0)}`)
  return `${formatDay(days[index] ?? '')}: ${values.join(' · ')}`
}

export function Chart(props: ChartProps) {
  const { days } = props
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const redraw = () => {
      drawn.current?.destroy()
      drawn.current = draw(element, props, setPointed)
    }
    redraw()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    addEventListener('resize', redraw)
    return () => {
      dark.removeEventListener('change', redraw)
      removeEventListener('resize', redraw)
      drawn.current?.destroy()
      drawn.current = null
    }
  }, [props])
  const last = days.length - 1
  const shown = pointed ?? last
  const onKeyDown = (event: KeyboardEvent) => {
    const goals: Readonly<Record<string, number>> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      Home: 0,
      End: last,
    }
    const goal = goals[event.key]
    if (goal === undefined) return
    event.preventDefault()
    const index = Math.min(last, Math.max(0, goal))
    const left = drawn.current?.valToPos(secondsOf(days[index] ?? ''), 'x') ?? 0
    drawn.current?.setCursor({ left, top: 1 })
    setPointed(index)
  }
  return (
    <figure className="chart panel">
      <figcaption>
        <h2>{props.title}</h2>
        <ul className="row legend">
          {props.series.map(({ label, color }) => (
            <li key={label} data-color={color}>
              {label}
            </li>
          ))}
        </ul>
        <p className="quiet small chart-day" aria-hidden="true">
          {pointed === null ? 'Point at a day for its values, or use the arrow keys.' : valuesOf(props, pointed)}
        </p>
      </figcaption>
      <div
        className="chart-days"
        tabIndex={0}
        role="slider"
        aria-label={`${props.title}: a day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={valuesOf(props, shown)}
        onKeyDown={onKeyDown}
      >
        <div ref={box} aria-hidden="true" />
      </div>
      <details>
        <summary>Figures</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {props.series.map(({ label }) => (
                <th scope="col" className="number" key={label}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.days.map((day, i) => (
              <tr key={day}>
                <td>{formatDay(day)}</td>
                {props.series.map(({ label, values }) => (
                  <td className="number" key={label}>
                    {formatCount(values[i] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
