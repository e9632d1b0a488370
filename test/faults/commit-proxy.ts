import { connect, createServer, type Socket } from 'node:net'

/** When a connection breaks: before the database gets the commit, or before its answer is told. */
export type Break = 'before the commit' | 'after the commit'

export interface CommitProxy {
  /** Address of the database through the proxy. */
  readonly url: string
  /** Breaks the connection at the next commit. */
  breakNext(when: Break): void
  /** Whether the break that was asked for has come. */
  hasBroken(): boolean
  /** Commits that were asked for until now. */
  commits(): number
  close(): Promise<void>
}

/** Stands between a server and its Postgres, and breaks the connection at a commit. */
export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let next: Break | undefined
  let commits = 0
  const proxy = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname)
    const breakOff = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        breakOff()
      })
    }
    let isMute = false
    client.on('data', (data) => {
      if (data.includes('commit\0')) {
        commits++
        const when = next
        next = undefined
        if (when === 'before the commit') return breakOff()
        isMute = when === 'after the commit'
      }
      database.write(data)
    })
    database.on('data', (data) => {
      if (isMute) breakOff()
      else client.write(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    breakNext: (when) => {
      next = when
    },
    hasBroken: () => next === undefined,
    commits: () => commits,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
