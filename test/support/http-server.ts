import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './cleanup.ts'

/** Starts an HTTP server on loopback. It stops after the file's tests, if not earlier. */
export async function serveHttp(listener: RequestListener, port = 0) {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  afterFile(async () => stop())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
