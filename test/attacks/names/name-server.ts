import { createSocket } from 'node:dgram'
import { afterAll } from 'vitest'

/** Starts a DNS server on loopback that answers TXT queries (RFC 1035 §4.1). */
export async function startNameServer() {
  /** TXT records by name. Other names do not exist. */
  const records = new Map<string, readonly string[]>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readQuestion(query)
    const texts = records.get(name.toLowerCase())
    const header = Buffer.alloc(12)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    header.writeUInt16BE(texts ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(texts?.length ?? 0, 6)
    const answers = (texts ?? []).map((text) => {
      const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
      const fixed = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([fixed, data])
    })
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...answers]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  afterAll(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, records }
}

/** Returns the name of the query and the offset of its end. */
function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}
