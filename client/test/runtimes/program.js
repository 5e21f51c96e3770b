/** What each runtime does with the packed client: docs/decisions/client.md. */
import { isVitrineError, Vitrine } from '@vitrine/client'

/** @param {{ readonly apiKey: string, readonly baseUrl: string }} options */
export async function tryClient(options) {
  const vitrine = new Vitrine(options)
  const artwork = await (await fetch(`${options.baseUrl}/sample-artwork.jpg`)).blob()
  const mockup = await vitrine.generate({ template: 'one-frame', artwork, width: 120 })
  const bytes = await mockup.bytes()
  const streamed = await vitrine.generate({ template: 'one-frame', artwork: artwork.stream(), width: 120 })
  const same = new Uint8Array(await new Response(streamed.stream).arrayBuffer())
  const batch = await vitrine.generateBatch({ templates: ['one-frame', 'two-frames'], artwork, width: 60 })
  const templates = []
  for await (const { id } of vitrine.templates()) templates.push(id)
  const refused = await vitrine.generate({ template: 'none', artwork }).catch(error => error)
  const reason = new Error('enough')
  const ended = await vitrine.balance({ signal: AbortSignal.abort(reason) }).catch(error => error)
  const { balance_credits: credits } = await vitrine.balance()
  return {
    'a mockup from a picture': bytes[0] === 0xff && bytes[1] === 0xd8,
    'the same from a stream': same.length === bytes.length && same.every((byte, at) => byte === bytes[at]),
    'a batch': batch.mockups.map(({ template }) => template).join() === 'one-frame,two-frames',
    'the list of templates': templates.includes('two-frames'),
    'a typed error':
      isVitrineError(refused, 'TEMPLATE_NOT_FOUND') && refused.details.missing_template_ids[0] === 'none',
    'the reason of an abort': ended === reason,
    'what it cost': mockup.creditsUsed === 1 && credits === mockup.creditsRemaining - 3,
  }
}
