/** Bars per day with uPlot, with the same figures as a table for those who don't see the picture. */
import './chart.css'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { formatCount, formatDay } from '../format.ts'

type Series = { label: string; color: string; values: readonly number[] }
type ChartProps = { title: string; days: readonly string[]; series: readonly Series[] }

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** `color` names a custom property of the theme: canvas needs its value of now. */
function draw(element: HTMLElement, { days, series }: ChartProps): uPlot {
  const color = (name: string) => {
    element.style.color = `var(${name})`
    return getComputedStyle(element).color
  }
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  return new uPlot(
    {
      width: element.clientWidth,
      height: 220,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { y: { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] } },
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
          stroke: color(name),
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        })),
      ],
    },
    [days.map(secondsOf), ...series.map(({ values }) => [...values])],
    element,
  )
}

export function Chart(props: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let chart = draw(element, props)
    const redraw = () => {
      chart.destroy()
      chart = draw(element, props)
    }
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    addEventListener('resize', redraw)
    return () => {
      dark.removeEventListener('change', redraw)
      removeEventListener('resize', redraw)
      chart.destroy()
    }
  }, [props])
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
      </figcaption>
      <div ref={box} aria-hidden="true" />
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
