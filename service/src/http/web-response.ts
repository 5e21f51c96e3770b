import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends a web `Response` that was made by a library. */
export async function sendWebResponse(reply: FastifyReply, answer: Response): Promise<void> {
  reply.code(answer.status)
  for (const [name, value] of answer.headers) reply.header(name, value)
  const { body } = answer
  if (body === null) {
    await reply.send()
    return
  }
  await reply.send(Readable.fromWeb(body))
}
