import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

/** A pipeline step that is usually synchronous: the next step waits only if it returns a promise. */
export function requestStep(
  run: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>,
): onRequestHookHandler {
  return (request, reply, done) => {
    const proceed = () => done()
    const running = run(request, reply)
    if (running === undefined) proceed()
    else running.then(proceed, done)
  }
}
