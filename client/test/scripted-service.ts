import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** What a service in a test answers next; null breaks the connection, undefined never answers. */
export type Scripted =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | null
  | undefined

export type Asked = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }

/** A service that answers what a test says, in order, and remembers what it was asked. */
export async function startScriptedService(answers: readonly Scripted[]) {
  const left = [...answers]
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      asked.push({ url: request.url ?? '', headers: request.headers, body })
      const answer = left.shift()
      if (answer === null) request.socket.destroy()
      else if (answer !== undefined) {
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})
        response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(text)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An error answer of the service. */
export function errorAnswer(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Scripted {
  return { status, headers: { 'X-Request-Id': 'req_1', ...headers }, body: { error: 'A sentence.', code } }
}

export const balanceAnswer: Scripted = {
  status: 200,
  body: { balance_cents: 5, balance_dollars: '0.05', balance_credits: 5 },
}
