import type { MemberRole } from '@skillpass/contract'
import type { TestAgent, TestServer } from './server.ts'
import { unique } from './skills.ts'

export interface TestOrganization {
  readonly username: string
  readonly owner: TestAgent
  /** Makes an agent a member. */
  add(member: TestAgent, role: MemberRole): Promise<void>
}

/** Creates an organization with a new owner. */
export async function createOrganization(
  server: TestServer,
  settings: { defaultVisibility?: 'public' | 'private' } = {},
): Promise<TestOrganization> {
  const owner = await server.agent('owner')
  const username = unique('acme')
  const { organizations } = owner.client.registry
  await organizations.create({ body: { username } })
  await organizations.update({ params: { username }, body: settings })
  return {
    username,
    owner,
    async add(member, role) {
      const body = { username: member.username, role }
      const { data } = await owner.client.registry.invitations.create({
        params: { username },
        body,
      })
      await member.client.registry.invitations.accept({ params: { id: data.id } })
    },
  }
}
