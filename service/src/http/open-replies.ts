import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

const replies = Symbol('replies')

declare module 'node:net' {
  interface Socket {
    [replies]?: FastifyReply[]
  }
}

/** Notes that a connection has a request. A client may send the next one before it has the answer. */
export function noteReply(reply: FastifyReply): void {
  const { socket } = reply.request
  const known = (socket[replies] ??= [])
  while (known[0] !== undefined && hasEnded(known[0])) known.shift()
  known.push(reply)
}

/** The replies to the latest requests of a connection, in their order. Those at the front may have ended. */
export function repliesOf(socket: Socket): readonly FastifyReply[] {
  return socket[replies] ?? []
}

/** Whether a reply was sent whole, or broke off. */
export function hasEnded({ raw }: FastifyReply): boolean {
  return raw.writableFinished || raw.destroyed
}

/** Whether no request of a connection is being answered. */
export function isUnused(socket: Socket): boolean {
  const latest = repliesOf(socket).at(-1)
  return latest === undefined || hasEnded(latest)
}
