import { file, publishBundle } from '../support/bundles.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const files = [
  file('scripts/run.sh', '#!/bin/sh\necho run\n', true),
  file('references/über uns.md', '# Über\n'),
  file(
    'assets/data.bin',
    Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256),
  ),
]

/** Starts a server at its public address, with three skills of the agent `author-1`. */
export async function startServerWithSkills() {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = await startTestServer({ env: { PORT: port, BASE_URL: url } })
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
  return { server, author, single, folder, longPath }
}
