import { connect } from 'node:net'
import { createTestDatabase } from '../support/databases.ts'
import { runAsScript } from '../support/script.ts'
import { startProcess } from '../support/server-process.ts'

/** Kinds of slow client: what each sends first, what it drips, and when it must be gone, seconds. */
const kinds = {
  'nothing at all': { start: '', drip: '', limit: 20 },
  'headers that never end': {
    start: 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n',
    drip: 'X-A: b\r\n',
    limit: 20,
  },
  'a body that never ends': {
    start:
      'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Content-Length: 1000000\r\n\r\n',
    drip: ' ',
    limit: 40,
  },
  'chunks that never end': {
    start:
      'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n',
    drip: '1\r\n \r\n',
    limit: 40,
  },
  'a request, and then silence': {
    start: 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n',
    drip: '',
    limit: 40,
  },
}

/** Seconds until the server closed such a connection, and the status it said before. */
function untilGone(port: number, { start, drip }: { start: string; drip: string }) {
  const started = performance.now()
  return new Promise<{ seconds: number; said: string }>((resolve) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => {
      if (start) socket.write(start)
    })
    const timer = setInterval(() => {
      if (drip && socket.writable) socket.write(drip)
    }, 500)
    socket.on('data', (data) => {
      said += data.toString()
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      clearInterval(timer)
      const seconds = (performance.now() - started) / 1000
      resolve({ seconds, said: said.split('\r\n')[0] || 'nothing' })
    })
  })
}

/** Opens `count` connections of every kind and waits until the server has closed them all. */
export async function slowLoris(count: number) {
  const database = await createTestDatabase('sqlite')
  const server = await startProcess({ databaseUrl: database.url })
  try {
    return await Promise.all(
      Object.entries(kinds).map(async ([kind, { limit, ...how }]) => {
        const gone = await Promise.all(
          Array.from({ length: count }, () => untilGone(server.port, how)),
        )
        const seconds = Math.round(Math.max(...gone.map((one) => one.seconds)) * 10) / 10
        return { kind, 'gone after, s': seconds, limit, said: gone[0]?.said ?? '' }
      }),
    )
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
}

runAsScript(import.meta.url, async () => {
  const rows = await slowLoris(20)
  console.table(rows)
  if (rows.some((row) => row['gone after, s'] > row.limit)) process.exitCode = 1
})
