import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { file, publishBundle } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import { startTestServer } from '../../support/server.ts'

test('a client that reads only the beginning of an archive does not occupy a slot of the load shedder', async () => {
  const publisher = await startTestServer()
  const agent = await publisher.agent('author')
  // More bytes than the system buffers for a connection. Archives are not compressed.
  const bytes = new Uint8Array(4 * 1024 ** 2)
  const skill = await publishBundle(
    agent,
    ['a', 'b', 'c', 'd'].map((path) => file(path, bytes)),
  )
  const { database } = publisher
  const { ctx, url } = await startTestServer({ database })
  const readers: Socket[] = []
  for (let at = 0; at < 3; at++) {
    readers.push(await readBeginning(url, `${new URL(skill.fetchUrl).pathname}/archive.tar.gz`))
  }
  expect(ctx.metrics.inFlight).toBe(0)
  expect(readers.filter((reader) => reader.destroyed)).toEqual([])
})

/** Requests a path and stops reading after the first bytes of a successful response. */
async function readBeginning(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  afterFile(async () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const head = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (bytes) => {
      socket.pause()
      resolve(bytes.toString('latin1'))
    })
  })
  expect(head).toMatch(/^HTTP\/1\.1 200 /)
  return socket
}
