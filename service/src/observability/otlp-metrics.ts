import { ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { ReadMetric } from './metrics.ts'

type Labels = Partial<Record<string, string | number>>
type Value = { readonly value: number; readonly labels: Labels; readonly metricName?: string }
type HistogramPoint = { labels: Labels; boundaries: number[]; counts: number[]; sum: number; count: number }

/** Converts the metrics of `/metrics` to OpenTelemetry: sums since the start, with the same names. */
export function toMetricData(metrics: readonly ReadMetric[], startedAtMs: number, readAtMs: number): MetricData[] {
  const times = { startTime: millisToHrTime(startedAtMs), endTime: millisToHrTime(readAtMs) }
  return metrics.flatMap((metric): MetricData[] => {
    // The actual type: the declared one covers only numbers, not a histogram's parts.
    const values: readonly Value[] = metric.values
    const common = {
      descriptor: {
        name: metric.name,
        description: metric.help,
        unit: unitOf(metric.name),
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    const numbers = (): DataPoint<number>[] =>
      values.map(({ value, labels }) => ({ ...times, attributes: labels, value }))
    switch (String(metric.type)) {
      case 'counter':
        return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() }]
      case 'gauge':
        return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() }]
      case 'histogram': {
        const dataPoints = readHistogram(metric.name, values).map(({ labels, boundaries, counts, sum, count }) => ({
          ...times,
          attributes: labels,
          value: { buckets: { boundaries, counts }, sum, count },
        }))
        return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }]
      }
      default:
        return []
    }
  })
}

/** A metric's unit: by Prometheus convention the last word of its name. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's'
  return /_bytes(_total)?$/.test(name) ? 'By' : '1'
}

/** Converts cumulative Prometheus buckets to OpenTelemetry's, which count each value once. */
function readHistogram(name: string, values: readonly Value[]): HistogramPoint[] {
  const points = new Map<string, HistogramPoint>()
  for (const { value, labels: all, metricName } of values) {
    const { le, ...labels } = all
    const key = JSON.stringify(labels)
    const point = points.get(key) ?? { labels, boundaries: [], counts: [], sum: 0, count: 0 }
    points.set(key, point)
    if (metricName === `${name}_sum`) point.sum = value
    else if (metricName === `${name}_count`) point.count = value
    else if (le !== undefined) {
      point.counts.push(value - point.counts.reduce((sum, count) => sum + count, 0))
      if (le !== '+Inf') point.boundaries.push(Number(le))
    }
  }
  return [...points.values()]
}
