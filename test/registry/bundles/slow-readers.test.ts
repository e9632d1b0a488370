import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { file, publishBundle } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import { startTestServer } from '../../support/server.ts'

/** More than the places that a class of requests has at least. */
const readers = 150

test('readers that take nothing of an archive hold no place that others need', async () => {
  // A server that refuses nothing publishes, so that a crowded machine cannot refuse it here.
  const publisher = await startTestServer()
  const agent = await publisher.agent('author')
  // More than what the system keeps for a connection; the same bytes at four paths are kept once.
  const bytes = new Uint8Array(4 * 1024 ** 2)
  const skill = await publishBundle(
    agent,
    ['a', 'b', 'c', 'd'].map((path) => file(path, bytes)),
  )
  const { database } = publisher
  const server = await startTestServer({ database, env: { ADMISSION_CONTROL: 'on' } })
  const { hostname, port } = new URL(server.url)
  const path = `${new URL(skill.fetchUrl).pathname}/archive.tar.gz`
  for (let at = 0; at < readers; at++) {
    const socket = connect(Number(port), hostname)
    afterFile(async () => socket.destroy())
    socket.pause()
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    // Not so fast that the burst itself would be too much.
    if (at % 10 === 9) await pause(50)
  }
  // A reader is cut off after 30 s: a place that one holds is not free before.
  const options = { headers: { accept: 'text/markdown' } }
  for (let at = 0; at < 20; at++) {
    const status = async () => (await server.http(new URL(skill.fetchUrl).pathname, options)).status
    await expect.poll(status).toBe(200)
  }
})
