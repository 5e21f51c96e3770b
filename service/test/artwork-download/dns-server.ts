import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The answer for a name: addresses of the requested family, an alias, or nothing at all. */
export type DnsAnswer =
  | readonly string[]
  | { readonly alias: string; readonly addresses: readonly string[] }
  | 'unknown'
  | 'silence'

type Family = 4 | 6

const TYPE_A = 1
const TYPE_AAAA = 28
const TYPE_CNAME = 5

/**
 * A name server on loopback that answers A and AAAA queries by a function. All answers have TTL 0, so that
 * every look-up is a query.
 */
export class DnsServer implements AsyncDisposable {
  readonly #socket: Socket
  readonly address: string
  questionCount = 0

  private constructor(socket: Socket, answer: (name: string, family: Family) => DnsAnswer) {
    this.#socket = socket
    this.address = `127.0.0.1:${socket.address().port}`
    socket.on('message', (message, from) => {
      const { name, type, questionEnd } = readQuestion(message)
      this.questionCount += 1
      const isAddress = type === TYPE_A || type === TYPE_AAAA
      const found = isAddress ? answer(name, type === TYPE_A ? 4 : 6) : []
      if (found === 'silence') return
      socket.send(reply(message.subarray(0, questionEnd), type, found), from.port, from.address)
    })
  }

  static async start(answer: (name: string, family: Family) => DnsAnswer): Promise<DnsServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new DnsServer(socket, answer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}

function readQuestion(message: Buffer): { name: string; type: number; questionEnd: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = message.readUInt8(offset); length > 0; length = message.readUInt8(offset)) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(offset + 1), questionEnd: offset + 5 }
}

function reply(question: Buffer, type: number, found: Exclude<DnsAnswer, 'silence'>): Buffer {
  const header = Buffer.from(question)
  const isUnknown = found === 'unknown'
  const alias = typeof found === 'object' && 'alias' in found ? found.alias : null
  const addresses = isUnknown ? [] : typeof found === 'object' && 'alias' in found ? found.addresses : found
  const owner = alias === null ? Buffer.from([0xc0, 12]) : encodeName(alias)
  const records = addresses.map(address => record(owner, type, addressBytes(address)))
  if (alias !== null) records.unshift(record(Buffer.from([0xc0, 12]), TYPE_CNAME, encodeName(alias)))
  header.writeUInt16BE(isUnknown ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, ...records])
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function addressBytes(address: string): Buffer {
  return Buffer.from(
    isIPv4(address) ? ipaddr.IPv4.parse(address).toByteArray() : ipaddr.IPv6.parse(address).toByteArray(),
  )
}
