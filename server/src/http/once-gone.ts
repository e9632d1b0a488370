import type { ServerResponse } from 'node:http'

/**
 * Calls a function once, when a response or its connection closes. Node emits no `close` for a
 * response that is still queued behind another one when the connection closes.
 */
export function onceGone(res: ServerResponse, gone: () => void): void {
  const { socket } = res.req
  const end = () => {
    res.off('close', end)
    socket.off('close', end)
    gone()
  }
  // Pipelined requests add many listeners to a connection.
  socket.setMaxListeners(0)
  socket.once('close', end)
  res.once('close', end)
}
