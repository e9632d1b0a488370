import { file, publishBundle } from '../support/bundles.ts'
import { createOrganization } from '../support/organizations.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'

/** Starts a server at its public address, with a private skill and a key that may read it. */
export async function startServerWithPrivateSkill() {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = await startTestServer({ env: { PORT: port, BASE_URL: url } })
  const acme = await createOrganization(server, { defaultVisibility: 'private' })
  const reader = await server.agent('reader')
  await acme.add(reader, 'reader')
  const files = [file('scripts/run.sh', '#!/bin/sh\necho run\n', true), file('new.md', 'new')]
  const skill = await publishBundle(acme.owner, files, { slug: 'deploy', owner: acme.username })
  const body = { name: 'ci', access: 'read', limitedTo: acme.username } as const
  const { data } = await reader.client.registry.apiKeys.create({ body })
  return { server, acme, skill, key: data.key }
}
