import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Metrics } from './metrics.ts'
import { toMetricData } from './otlp-metrics.ts'
import { serviceVersion } from './service-version.ts'
import type { Telemetry, TracedRequest } from './traced-request.ts'

export type OtlpOptions = {
  /** Address of a collector, without `/v1/traces` and `/v1/metrics`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Attributes of this service, for example its environment. */
  readonly attributes: Readonly<Record<string, string>>
  /** The share of traced requests if the caller does not decide: 0 to 1. */
  readonly tracedShare: number
  readonly metricIntervalMs: number
}

const SCOPE = 'vitrine'

/** Timeout of an export; a stopping service waits no longer. */
const EXPORT_TIMEOUT_MS = 5_000

/**
 * Uses OpenTelemetry's SDK. A request becomes a span when it has ended, with its stages as child spans; the
 * metrics are those of `/metrics`, read when they are sent.
 */
export class OtlpTelemetry implements Telemetry {
  readonly #tracing: TracerProvider
  readonly #metering: MeterProvider
  readonly #tracer: Tracer
  readonly #onError: (error: unknown) => void

  constructor(options: OtlpOptions, metrics: Metrics, onError: (error: unknown) => void) {
    const { endpoint, headers, attributes, tracedShare, metricIntervalMs } = options
    this.#onError = onError
    setGlobalErrorHandler(onError)
    const resource = resourceFromAttributes({ 'service.version': serviceVersion, ...attributes })
    const to = (signal: string) => ({
      url: `${endpoint}/v1/${signal}`,
      headers: { ...headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    })
    this.#tracing = new TracerProvider({
      resource,
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracedShare) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) })],
    })
    const scope = { name: SCOPE, version: serviceVersion }
    const startedAtMs = Date.now()
    this.#metering = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(to('metrics')),
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, metricIntervalMs),
          metricProducers: [
            {
              collect: async () => ({
                resourceMetrics: {
                  resource,
                  scopeMetrics: [{ scope, metrics: toMetricData(await metrics.read(), startedAtMs, Date.now()) }],
                },
                errors: [],
              }),
            },
          ],
        }),
      ],
    })
    this.#tracer = this.#tracing.getTracer(SCOPE, serviceVersion)
  }

  note(request: TracedRequest): void {
    const { method, route, status, code, requestId, startedAtMs, durationMs, stages, templateIds } = request
    const caller = parseTraceParent(request.traceParent ?? '')
    const parent = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
    const span = this.#tracer.startSpan(
      route,
      {
        kind: SpanKind.SERVER,
        startTime: startedAtMs,
        attributes: {
          'http.request.method': method,
          'http.route': route.replace(/^[A-Z]+ /, ''),
          'http.response.status_code': status,
          'vitrine.request_id': requestId,
          'vitrine.code': code,
          ...(templateIds.length > 0 ? { 'vitrine.template_ids': [...templateIds] } : {}),
          ...(request.creditsConsumed > 0 ? { 'vitrine.credits': request.creditsConsumed } : {}),
        },
      },
      parent,
    )
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: code })
    const within = trace.setSpan(parent, span)
    for (const stage of stages) {
      if (stage.startedMs === null) {
        span.setAttribute(`vitrine.${stage.name}_ms`, Math.round(stage.durationMs))
        continue
      }
      const startTime = startedAtMs + stage.startedMs - request.startedMs
      this.#tracer.startSpan(stage.name, { startTime }, within).end(startTime + stage.durationMs)
    }
    span.end(startedAtMs + durationMs)
  }

  async close(): Promise<void> {
    await Promise.all([this.#tracing.shutdown(), this.#metering.shutdown({ timeoutMillis: EXPORT_TIMEOUT_MS })]).catch(
      this.#onError,
    )
  }
}
