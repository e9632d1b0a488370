import { expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, expectError, publish, unique } from '../support/skills.ts'
import { createGate } from '../support/waiting.ts'

const publications = 50

test.each(engines)(
  'nothing that a member publishes on two nodes lands after its removal is acknowledged, on %s',
  async (engine) => {
    const first = await startTestServer({ engine })
    const second = await startTestServer({ database: first.database, clock: first.clock })
    const acme = await createOrganization(first, { defaultVisibility: 'private' })
    const member = await first.agent('member')
    await acme.add(member, 'publisher')
    const known = await publish(member, { owner: acme.username })
    const nodes = [first, second]
    const listStored = async () => {
      const skills = first.ctx.db.read.selectFrom('skills').select('slug')
      const rows = await skills.where('repository_id', '=', known.repo.id).execute()
      return rows.map(({ slug }) => slug).sort()
    }

    const half = createGate()
    const slugs = Array.from({ length: publications }, () => unique('skill'))
    const published: string[] = [known.slug]
    const refused: number[] = []
    /** Publishes one skill after the other, beside others that do the same. */
    const work = async (worker: number) => {
      for (let slug = slugs.pop(); slug !== undefined; slug = slugs.pop()) {
        const body = { name: slug, slug, readme: `# ${slug}`, owner: acme.username }
        const node = nodes[worker % 2] ?? first
        const { status } = await ask(node, 'POST', '/api/v1/skills', { key: member.apiKey, body })
        if (status === 201) published.push(slug)
        else refused.push(status)
        if (published.length > publications / 5) half.open()
      }
    }
    const working = Promise.all([0, 1, 2, 3, 4, 5].map(work))
    await half.opened
    await acme.owner.client.registry.organizations.removeMember({
      params: { username: acme.username, member: member.username },
    })
    const storedAtRemoval = await listStored()
    for (const node of nodes) {
      const read = ask(node, 'GET', `${addressOf(known)}?format=md`, { key: member.apiKey })
      await expectError(read, 'NOT_FOUND')
    }
    await working
    expect(await listStored()).toEqual(storedAtRemoval)
    expect(published.sort()).toEqual(storedAtRemoval)
    expect(new Set(refused)).toEqual(new Set([403]))
  },
)
