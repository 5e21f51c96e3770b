import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpDeadlines } from './deadlines.ts'

/**
 * Cuts a client that takes its answer too slowly: in each span it must have taken a minimum. Node's own timeouts only see sockets on
 * which nothing at all happens, so that a client that reads a byte a second holds its answer for ever.
 */
export function cutSlowReader(request: IncomingMessage, response: ServerResponse, deadlines: HttpDeadlines): void {
  const { socket } = request
  // What has left our buffers: the kernel's are at most a few hundred kilobytes, so that an idle reader is seen in the next span.
  const sent = () => socket.bytesWritten - socket.writableLength
  let sentBefore = sent()
  const timer = setInterval(() => {
    const sentNow = sent()
    if (socket.writableLength > 0 && response.headersSent && sentNow - sentBefore < deadlines.readerBytes)
      socket.destroy()
    sentBefore = sentNow
  }, deadlines.readerSpanMs)
  timer.unref()
  response.once('close', () => clearInterval(timer))
}

/**
 * Once a request is answered, what is left of its body is read and dropped for a while, because closing at once would reset the
 * connection and take the answer with it; a client that still sends after that is cut.
 */
export function dropRestOfBody(request: IncomingMessage, response: ServerResponse, deadlines: HttpDeadlines): void {
  response.once('finish', () => {
    if (request.complete) return
    const { socket } = request
    const timer = setTimeout(() => socket.destroy(), deadlines.lingerMs)
    timer.unref()
    request.once('end', () => clearTimeout(timer))
    request.once('close', () => clearTimeout(timer))
    request.resume()
  })
}
