import { connect, type Socket } from 'node:net'
import { afterFile } from '../../support/cleanup.ts'

const head = 'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n'

/** What a connection has sent before it stops: nothing, a part of the headers, a part of the body. */
const starts = ['', head, `${head}Content-Type: application/json\r\n\r\n{`]

/** Opens 300 connections that never finish a request; the returned function sends one more character on each. */
export async function openSlowConnections(url: string): Promise<() => void> {
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, i) => {
      const socket = connect(Number(port), hostname)
      afterFile(async () => void socket.destroy())
      return new Promise<Socket>((resolve, reject) => {
        socket.once('error', reject)
        socket.once('connect', () => socket.write(starts[i % 3] ?? '', () => resolve(socket)))
      })
    }),
  )
  return () => {
    for (const [i, socket] of sockets.entries()) if (i % 3 && socket.writable) socket.write('a')
  }
}
