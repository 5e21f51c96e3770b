import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback, networkOf } from '../rate-limits/address-subject.ts'
import {
  ASSUMED_DESCRIPTORS,
  CLIENT_CONNECTIONS_MAX,
  CONNECTIONS_CHECK_MS,
  CROWDED_KEEP_ALIVE_MS,
  CROWDED_SHARE,
  DESCRIPTORS_SHARE,
  UNUSED_AFTER_MS,
} from './limits.ts'
import { isUnused } from './open-replies.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { buildProxyTest } from './trusted-proxies.ts'

type ConnectionContext = Pick<PipelineContext, 'connectionsMax' | 'trustedProxies'> & {
  readonly services: Pick<PipelineContext['services'], 'metrics'>
}

type Connection = {
  readonly socket: Socket
  /** The client's network; null for a trusted proxy, which serves many clients. */
  readonly client: string | null
  /** When the connection opened, or a request or answer last began or ended (monotonic clock). */
  usedAtMs: number
}

/**
 * Limits the connections in total and of each client network. Over a limit, the longest idle connection is
 * closed to make room; if none is idle, the new one is closed. A connection counts as idle until its
 * request's headers are complete. Clients on this machine may exceed their limit with active connections:
 * they may be a proxy that the operator has not configured.
 */
export function boundConnections(server: Server, context: ConnectionContext): void {
  const { connectionsMax, trustedProxies, services } = context
  const isProxy = buildProxyTest(trustedProxies)
  const connections = new Connections()

  const close = (connection: Connection, bound: 'all' | 'client') => {
    services.metrics.noteClosedConnection(bound)
    connections.delete(connection)
    connection.socket.destroy()
  }
  const closeUnused = () => {
    const nowMs = performance.now()
    if (connections.all.size > connectionsMax * CROWDED_SHARE)
      for (const connection of unusedSince(connections.all, nowMs - CROWDED_KEEP_ALIVE_MS))
        if (connection.client !== null) close(connection, 'all')
    for (const own of connections.byClient.values())
      for (const connection of unusedSince(own, nowMs - UNUSED_AFTER_MS))
        if (own.size > CLIENT_CONNECTIONS_MAX) close(connection, 'client')
        else break
  }

  const makeRoomFor = (connection: Connection) => {
    if (!connections.all.has(connection)) return
    const nowMs = performance.now()
    if (connections.all.size > connectionsMax) {
      const [unused = connection] = unusedSince(connections.all, nowMs)
      close(unused, 'all')
    } else if (connections.ofClient(connection).size > CLIENT_CONNECTIONS_MAX) {
      const [unused] = unusedSince(connections.ofClient(connection), nowMs - UNUSED_AFTER_MS)
      if (unused !== undefined) close(unused, 'client')
      else if (!isLoopback(connection.socket.remoteAddress ?? '')) close(connection, 'client')
    }
  }
  server.on('connection', socket => {
    const address = socket.remoteAddress ?? ''
    const nowMs = performance.now()
    const connection = { socket, client: isProxy(address) ? null : networkOf(address), usedAtMs: nowMs }
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    // Deferred as below: requests may already have arrived on the other connections.
    setImmediate(makeRoomFor, connection)
  })
  server.on('request', ({ socket }, response) => {
    connections.noteUse(socket)
    response.once('close', () => connections.noteUse(socket))
  })
  // Deferred until pending input is read: after a stall, connections with unread requests would look idle.
  const timer = setInterval(() => setImmediate(closeUnused), CONNECTIONS_CHECK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** The open connections. Each set is ordered by last use, least recent first. */
class Connections {
  readonly all = new Set<Connection>()
  readonly byClient = new Map<string, Set<Connection>>()
  readonly #bySocket = new Map<Socket, Connection>()

  /** The connections of the same client; empty for a proxy. */
  ofClient({ client }: Connection): ReadonlySet<Connection> {
    return (client === null ? undefined : this.byClient.get(client)) ?? new Set()
  }

  add(connection: Connection): void {
    const { socket, client } = connection
    this.#bySocket.set(socket, connection)
    this.all.add(connection)
    if (client !== null) this.byClient.set(client, (this.byClient.get(client) ?? new Set()).add(connection))
  }

  noteUse(socket: Socket): void {
    const connection = this.#bySocket.get(socket)
    if (connection === undefined) return
    connection.usedAtMs = performance.now()
    moveToEnd(this.all, connection)
    const own = connection.client === null ? undefined : this.byClient.get(connection.client)
    if (own !== undefined) moveToEnd(own, connection)
  }

  delete(connection: Connection): void {
    const { socket, client } = connection
    this.#bySocket.delete(socket)
    this.all.delete(connection)
    const own = client === null ? undefined : this.byClient.get(client)
    if (client === null || own === undefined) return
    own.delete(connection)
    if (own.size === 0) this.byClient.delete(client)
  }
}

function moveToEnd(connections: Set<Connection>, connection: Connection): void {
  connections.delete(connection)
  connections.add(connection)
}

/** The idle connections of a set that were last used before the given time, least recent first. */
function* unusedSince(connections: ReadonlySet<Connection>, beforeMs: number): Generator<Connection> {
  for (const connection of connections) {
    if (connection.usedAtMs >= beforeMs) return
    if (isUnused(connection.socket)) yield connection
  }
}

/** This process's connection limit: the wanted number, reduced to what its file descriptors allow. */
export function loadConnectionsMax(wanted: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(loadDescriptorsMax() * DESCRIPTORS_SHARE)))
}

/** This process's limit of file descriptors; a default where the system does not report it (not Linux). */
function loadDescriptorsMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? ASSUMED_DESCRIPTORS : Number(soft)
  } catch {
    return ASSUMED_DESCRIPTORS
  }
}
