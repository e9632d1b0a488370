import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { runSkillpass } from '../support/commands.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { publish, unique } from '../support/skills.ts'

const server = await startTestServer()
/** Runs the command as an agent and returns what it prints. */
async function run(by: Pick<TestAgent, 'apiKey'>, ...args: string[]) {
  const env = { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: by.apiKey }
  const { code, out, err } = await runSkillpass(args, { env })
  return code === 0 ? out : `${code}: ${err.replace(/^skillpass \w+: /, '')}`
}

test('org creates an organization, invites, changes and removes members', async () => {
  const [owner, member, other] = [
    await server.agent('owner'),
    await server.agent('member'),
    await server.agent('other'),
  ]
  const name = unique('acme')
  const org = (by: TestAgent, ...args: string[]) => run(by, 'org', ...args)
  expect(await org(owner, 'create', name, '--display-name', 'Acme Inc.')).toBe(
    `Created ${name}. You are its owner.\n`,
  )
  expect(await org(owner, 'visibility', name, 'private')).toBe(
    `New repositories of ${name} are private.\n`,
  )
  expect(await org(owner, 'show', name)).toMatch(/displayName {2}Acme Inc\.\n(.*\n)*.*private\n/)
  expect(await org(owner, 'invite', name, member.username, '--role', 'reader')).toContain(
    `To accept: skillpass org accept ${name}\n`,
  )
  expect(await org(member, 'list')).toBe(`${name}  invited as reader\n`)
  expect(await org(member, 'accept', name)).toBe(`You are reader of ${name}.\n`)
  const invited = JSON.parse(await org(owner, 'invite', name, '--json'))
  expect(await org(other, 'accept', invited.code)).toBe(`You are publisher of ${name}.\n`)
  expect(await org(owner, 'role', name, member.username, 'owner')).toBe(
    `${member.username} is owner of ${name}.\n`,
  )
  const rows = [
    [owner.username, 'owner'],
    [member.username, 'owner'],
    [other.username, 'publisher'],
  ].map((row) => `${row.join('  ')}\n`)
  expect(await org(owner, 'members', name)).toBe(rows.sort().join(''))
  expect(await org(owner, 'remove', name, other.username)).toContain('no longer a member')
  expect(await org(member, 'leave', name)).toContain('no longer a member')
  expect(await org(owner, 'leave', name)).toMatch(/^1: .*would have no owner/)
  expect(await org(member, 'accept', name)).toMatch(/^1: Nothing to accept/)
  expect(await org(owner, 'lists')).toMatch(/^2: ACTION must be create, list, /)
  expect(await org(owner, 'role', name)).toMatch(/^2: Usage: skillpass org role NAME USERNAME ROLE/)
  expect(await org(owner, 'role', name, name, 'admin')).toMatch(/^2: ROLE must be reader, /)
})

test('org changes the visibility of a repository, and transfers it', async () => {
  const [giver, taker] = [await server.agent('giver'), await server.agent('taker')]
  const { repo } = await publish(giver)
  const address = `${giver.username}/${repo.name}`
  expect(await run(giver, 'org', 'visibility', address, 'private')).toBe(`${address} is private.\n`)
  expect(await run(taker, 'org', 'visibility', address, 'public')).toMatch(/^1: You have no role/)
  expect(await run(giver, 'org', 'transfer', address, taker.username)).toContain(
    `skillpass org accept ${address}\n`,
  )
  expect(await run(taker, 'org', 'accept', address)).toBe(
    `${address} is ${taker.username}/${repo.name} now.\n`,
  )
})

test('publish --owner --repo --visibility publishes in an organization, and register takes a code', async () => {
  const owner = await server.agent('owner')
  const name = unique('acme')
  await run(owner, 'org', 'create', name)
  const { code } = JSON.parse(await run(owner, 'org', 'invite', name, '--json'))
  const username = unique('new')
  const registered = JSON.parse(
    await run({ apiKey: '' }, 'register', username, '--invitation', code, '--json'),
  )
  const folder = await temporaryFolder()
  const description = 'Deploys. Use to deploy.'
  const skill = (text: string) => ({
    'deploy/SKILL.md': `---\nname: deploy\ndescription: ${description}\n---\n# ${text}\n`,
  })
  await writeFiles(folder, skill('One'))
  const place = ['--owner', name, '--repo', 'ops', '--visibility', 'private']
  const send = (...args: string[]) =>
    run(registered, 'publish', join(folder, 'deploy'), ...place, ...args)
  expect(await send('--sign')).toContain(`Published ${name}/ops/deploy, version 1`)
  await writeFiles(folder, skill('Two'))
  expect(await send('--update', '--sign')).toContain(`Published ${name}/ops/deploy, version 2`)
  const { registry } = server.clientFor(registered.apiKey)
  const { data } = await registry.skills.search({ query: { owner: name } })
  expect(data.map(({ repo }) => repo.visibility)).toEqual(['private'])
  expect((await server.client.registry.skills.search({ query: { owner: name } })).total).toBe(0)
  place[5] = 'secret'
  expect(await send()).toMatch(/^2: --visibility must be public or private/)
})
