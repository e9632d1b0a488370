import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { afterAll } from 'vitest'

/** Serves a folder's scripts to a browser, and one page at every other address; returns its origin. */
export async function serveScripts(folder: string, page: () => string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (/\.m?js$/.test(pathname)) {
      const script = await readFile(join(folder, normalize(pathname))).catch(() => undefined)
      response.writeHead(script ? 200 : 404, { 'content-type': 'text/javascript' }).end(script)
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
