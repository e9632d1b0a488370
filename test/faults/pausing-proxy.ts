import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../support/processes.ts'

/** Starts a TCP proxy in front of the target of a URL, which can stop forwarding. */
export async function startPausingProxy(targetUrl: string) {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isPaused = false
  let connections = 0
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on('data', (data) => void other.write(data))
    if (isPaused) socket.pause()
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      // While paused, neither side learns that the other has closed.
      if (!isPaused) other.destroy()
    })
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
    /** Address of the target through the proxy. */
    url: url.href,
    /** Accepts connections but forwards nothing until `resume`. */
    pause() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    /** Returns the number of connections so far. */
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
