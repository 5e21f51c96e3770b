import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

const replies = Symbol('replies')

declare module 'node:net' {
  interface Socket {
    [replies]?: FastifyReply[]
  }
}

/** Records a request on its connection. A client may send another before it has the answer (pipelining). */
export function noteReply(reply: FastifyReply): void {
  const { socket } = reply.request
  const known = (socket[replies] ??= [])
  while (known[0] !== undefined && hasEnded(known[0])) known.shift()
  known.push(reply)
}

/** The replies to a connection's latest requests, oldest first. The first ones may have ended. */
export function repliesOf(socket: Socket): readonly FastifyReply[] {
  return socket[replies] ?? []
}

/** Whether a reply was sent completely or aborted. */
export function hasEnded({ raw }: FastifyReply): boolean {
  return raw.writableFinished || raw.destroyed
}

/** Whether a connection has no request that is being answered. */
export function isUnused(socket: Socket): boolean {
  const latest = repliesOf(socket).at(-1)
  return latest === undefined || hasEnded(latest)
}
