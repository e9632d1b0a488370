import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { file, publishBundle } from '../support/bundles.ts'
import { serveHttp } from '../support/http-server.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const files = [
  file('scripts/run.sh', '#!/bin/sh\necho run\n', true),
  file('references/über uns.md', '# Über\n'),
  file(
    'assets/data.bin',
    Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256),
  ),
]

/** Publishes the skills in the recordings as the first agent of a server. */
export async function publishRecorded(server: TestServer) {
  const author = await server.agent('author')
  const single = await publish(author, {
    slug: 'single-file',
    readme: '# Single\n',
    description: 'One: file.',
  })
  const folder = await publishBundle(author, files, { slug: 'whole-folder' })
  // A tar header has 100 bytes for a path, so these require a zip.
  const long = [file(`references/${'long-'.repeat(22)}.md`, 'long'), ...files]
  const longPath = await publishBundle(author, long, { slug: 'long-path' })
  return { author, single, folder, longPath }
}

/** Starts a server behind a proxy that records requests in the form of the recordings. */
export async function startRecordedServer() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startTestServer({ env: { BASE_URL: url } })
  const requests: string[] = []
  const proxy = (req: IncomingMessage, res: ServerResponse) => {
    const { method, headers, url: path } = req
    const passed = request(new URL(path ?? '', server.url), { method, headers }, (response) => {
      requests.push(`${path} ${headers.accept} ${response.statusCode}`)
      res.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(res)
    })
    req.pipe(passed)
  }
  await serveHttp(proxy, port)
  /** Returns the requests since the last call. */
  const recorded = () => requests.splice(0)
  return { ...server, url, recorded }
}
