/** The runner's usual report, with the slowest files before the totals that end it. */
import path from 'node:path'
import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'

const SHOWN_MAX = 20

/** Reports a run, with a text that is awaited before the totals. */
export async function* reportRun(events: AsyncIterable<TestEvent>, beforeTotals?: Promise<string>): AsyncGenerator {
  yield* Readable.from(withSlowestFiles(events, beforeTotals)).pipe(new spec())
}

/** Adds a list of files and the text before the first of the totals. */
async function* withSlowestFiles(
  events: AsyncIterable<TestEvent>,
  beforeTotals: Promise<string> | undefined,
): AsyncGenerator<TestEvent> {
  const files: { readonly file: string; readonly durationMs: number }[] = []
  for await (const event of events) {
    const { type, data } = event
    if (type === 'test:summary' && data.file !== undefined)
      files.push({ file: data.file, durationMs: data.duration_ms })
    if (type === 'test:diagnostic' && data.file === undefined && data.message.startsWith('tests ')) {
      const slowest = files.sort((a, b) => b.durationMs - a.durationMs).slice(0, SHOWN_MAX)
      const lines = slowest.map(
        ({ file, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${path.relative('.', file)}\n`,
      )
      const slowestText = files.length > 1 ? `The slowest files:\n${lines.join('')}` : ''
      yield { type: 'test:stdout', data: { file: '', message: `${slowestText}${(await beforeTotals) ?? ''}` } }
    }
    yield event
  }
}
