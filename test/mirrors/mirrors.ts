import { expect } from 'vitest'
import { createOrganization } from '../support/organizations.ts'
import type { TestServer } from '../support/server.ts'
import { eventually } from '../support/waiting.ts'

/** Pause between two runs of a mirror, ms. */
export const hour = 3_600_000

/** Creates an organization on a server, and a mirror of a source into it. */
export async function addMirror(server: TestServer, url: string, ...options: string[]) {
  const organization = await createOrganization(server)
  const { username, owner } = organization
  const { registry } = owner.client
  const added = await server.operate('mirror add', url, '--into', username, ...options)
  expect(added).toMatchObject({ organization: username })
  const params = { username, id: String(added.id) }
  const follow = async () => {
    await server.runJob('following mirrors')
    // The server may have begun the run itself before.
    return eventually(async () => {
      const { data } = await registry.mirrors.list({ params })
      expect(data[0]?.result).not.toBeNull()
      return data[0]
    })
  }
  return {
    ...organization,
    params,
    /** Follows the source if the mirror is due. Returns the mirror. */
    follow,
    /** Compares all skills. Returns the mirror. */
    run: async () => {
      await registry.mirrors.run({ params })
      return follow()
    },
    /** Lists the skills of the organization that everybody sees. */
    skills: async () => {
      const { data } = await server.client.registry.skills.search({ query: { owner: username } })
      const found = data.map(async ({ id }) => {
        return (await server.client.registry.skills.get({ params: { id } })).data
      })
      return (await Promise.all(found)).sort((a, b) => a.slug.localeCompare(b.slug))
    },
    reported: async () => (await registry.notices.list()).data.map(({ reason }) => reason),
  }
}
