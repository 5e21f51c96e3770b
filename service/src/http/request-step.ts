import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'

/** A step of the pipeline that mostly ends at once: what comes next waits only where it returns a promise. */
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
