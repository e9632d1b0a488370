import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../support/processes.ts'

/** Stands between a server and what it needs, and goes silent when it is told to. */
export interface PausingProxy {
  /** Address of the target through the proxy. */
  readonly url: string
  /** Takes bytes and connections from now on, and hands nothing on. */
  pause(): void
  resume(): void
  isPaused(): boolean
  /** Connections that were made to it until now. */
  connections(): number
  close(): Promise<void>
}

/**
 * Starts a proxy in front of the target of a URL. It goes silent by itself the first time that a client
 * sends `pauseAt`.
 */
export async function startPausingProxy(
  targetUrl: string,
  { pauseAt }: { pauseAt?: string } = {},
): Promise<PausingProxy> {
  let trigger = pauseAt
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isPaused = false
  let connections = 0
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on('data', (data) => {
      if (trigger === undefined || !data.includes(trigger)) return void other.write(data)
      trigger = undefined
      pause()
      socket.unshift(data)
    })
    if (isPaused) socket.pause()
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      // Who is cut off learns nothing of the other side's end either.
      if (!isPaused) other.destroy()
    })
  }
  const pause = () => {
    isPaused = true
    for (const socket of sockets) socket.pause()
  }
  const proxy = createServer((near) => {
    connections++
    const far = connect(Number(target.port), target.hostname)
    keep(near, far)
    keep(far, near)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    pause,
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    isPaused: () => isPaused,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
