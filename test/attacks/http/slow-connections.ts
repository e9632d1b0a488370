import { connect, type Socket } from 'node:net'
import { afterFile } from '../../support/cleanup.ts'

const starts = {
  idle: '',
  'in the headers': 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n',
  'in the body':
    'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
    'Content-Length: 100000\r\n\r\n{',
}

/** Opens 400 connections that never finish a request: 200 idle, 100 in the headers, 100 in the body. */
export async function openSlowConnections(url: string): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const open = (start: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        if (start) socket.write(start)
        resolve(socket)
      })
      socket.on('error', reject)
    })
  const all = Object.values(starts).flatMap((start) =>
    Array.from({ length: start === '' ? 200 : 100 }, () => open(start)),
  )
  const sockets = await Promise.all(all)
  afterFile(async () => {
    for (const socket of sockets) socket.destroy()
  })
  return sockets
}
