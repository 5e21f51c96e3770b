import type { Settings } from '../settings/load-settings.ts'
import type { Metrics } from './metrics.ts'
import type { Telemetry } from './traced-request.ts'

/** Null without OTEL_EXPORTER_OTLP_ENDPOINT: nothing of OpenTelemetry is loaded then. */
export async function openTelemetry(
  settings: Settings,
  metrics: Metrics,
  onError: (error: unknown) => void,
): Promise<Telemetry | null> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  const { OtlpTelemetry } = await import('./otlp-telemetry.ts')
  return new OtlpTelemetry(
    {
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
      attributes: { ...settings.OTEL_RESOURCE_ATTRIBUTES, 'service.name': settings.OTEL_SERVICE_NAME },
      tracedShare: settings.OTEL_TRACES_SAMPLER_ARG,
      metricIntervalMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
    },
    metrics,
    onError,
  )
}
