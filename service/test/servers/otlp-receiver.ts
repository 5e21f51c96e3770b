import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'

const attributes = z.array(z.object({ key: z.string(), value: z.looseObject({}) })).default([])
const time = z.coerce.bigint()

const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: time,
              endTimeUnixNano: time,
              attributes,
              status: z.looseObject({ code: z.int().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
})

const metrics = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.looseObject({
              name: z.string(),
              sum: z
                .object({
                  isMonotonic: z.boolean(),
                  dataPoints: z.array(z.object({ asDouble: z.number(), attributes })),
                })
                .optional(),
              histogram: z
                .object({
                  dataPoints: z.array(
                    z.object({
                      count: z.coerce.number(),
                      bucketCounts: z.array(z.coerce.number()),
                      explicitBounds: z.array(z.number()),
                      attributes,
                    }),
                  ),
                })
                .optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})

export type ReceivedSpan = z.infer<typeof traces>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]
export type ReceivedMetric = z.infer<
  typeof metrics
>['resourceMetrics'][number]['scopeMetrics'][number]['metrics'][number]

export type OtlpReceiver = {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Of the last message. */
  metrics: ReceivedMetric[]
  /** By name, of the last message. */
  resource: ReadonlyMap<string, unknown>
  /** The `authorization` header of each message. */
  readonly authorizations: (string | undefined)[]
} & AsyncDisposable

/** A collector that receives OTLP over HTTP as JSON, and rejects unknown fields. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString())
      receiver.authorizations.push(request.headers.authorization)
      if (request.url === '/v1/traces')
        for (const { scopeSpans } of traces.parse(body).resourceSpans)
          receiver.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
      else
        for (const { resource, scopeMetrics } of metrics.parse(body).resourceMetrics) {
          receiver.metrics = scopeMetrics.flatMap(scope => scope.metrics)
          receiver.resource = new Map(resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
        }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    spans: [],
    metrics: [],
    resource: new Map(),
    authorizations: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
