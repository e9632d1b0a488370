import { expect, test } from 'vitest'
import { runSkillpass } from '../../support/commands.ts'
import { createOrganization } from '../../support/organizations.ts'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { publish, unique } from '../../support/skills.ts'
import { makeProject } from './project.ts'

const server = await startTestServer()
const as = (agent: TestAgent, ...args: string[]) =>
  runSkillpass(args, { env: { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: agent.apiKey } })

/** Publishes a skill with the labels 1.0.0, 1.1.0 … and returns what a test needs of it. */
async function setUp(versions = 3) {
  const agent = await server.agent('publisher')
  const slug = unique('tool')
  const readmeOf = (minor: number) =>
    `---\nname: ${slug}\ndescription: Deploys.\nversion: 1.${minor}.0\n---\n# ${minor}\n`
  const { id } = await publish(agent, { slug, readme: readmeOf(0) })
  for (let minor = 1; minor < versions; minor++) {
    const body = { readme: readmeOf(minor) }
    await agent.client.registry.skills.update({ params: { id }, body })
  }
  const project = await makeProject(server.url)
  const address = `${agent.username}/skills/${slug}`
  const locked = async () => (await project.lock()).skills[slug]
  return { agent, slug, id, project, address, locked }
}

test('a frozen install of a withdrawn version warns, and one withdrawn for security fails', async () => {
  const { agent, address, project, locked } = await setUp()
  await project.succeed('add', address)
  const withdraw = (...args: string[]) => as(agent, 'withdraw', `${address}@3`, ...args)
  expect((await withdraw('--reason', 'It is “wrong”.')).out).toBe(
    `Withdrew ${address}, version 3.\n`,
  )
  const warning = `${address}, version 3, is withdrawn: It is “wrong”.`
  for (const command of [['install', '--frozen'], ['verify'], ['install', '--force']]) {
    const { code, err } = await project.run(...command)
    expect([code, err]).toEqual([0, expect.stringContaining(warning)])
  }
  expect(await project.succeed('outdated')).toContain('3 → 2')
  const added = await (await makeProject(server.url)).run('add', `${address}@3`)
  expect([added.code, added.err]).toEqual([1, expect.stringContaining('It is “wrong”.')])
  expect((await withdraw('--undo')).code).toBe(0)
  await withdraw('--reason', 'A secret.', '--security')
  const refused = await project.run('install', '--frozen')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('A secret.')])
  expect(refused.err).toContain('--allow-withdrawn')
  const { code, err } = await project.run('install', '--frozen', '--allow-withdrawn')
  expect([code, err]).toEqual([0, expect.stringContaining('A secret.')])
  const elsewhere = await makeProject(server.url)
  await elsewhere.succeed('add', `${address}@3`, '--allow-withdrawn')
  await project.succeed('update')
  expect(await locked()).toMatchObject({ version: 2 })
  expect(await project.run('verify')).toMatchObject({ code: 0, err: '' })
})

test('update stays within the range or dist-tag that add was given', async () => {
  const { agent, id, address, project, locked } = await setUp(2)
  await project.succeed('add', `${address}@~1.0`)
  expect(await locked()).toMatchObject({ version: 1, at: '~1.0' })
  expect(await project.succeed('update')).toBe('Everything is up to date.\n')
  const { skills, versions } = agent.client.registry
  await skills.update({ params: { id }, body: { readme: '# Patch', label: '1.0.1' } })
  expect(await project.succeed('outdated')).toContain('1 → 3')
  await project.succeed('update')
  expect(await locked()).toMatchObject({ version: 3, at: '~1.0' })
  await versions.setDistTag({ params: { id, tag: 'beta' }, body: { version: 2 } })
  await project.succeed('add', `${address}@beta`)
  expect(await locked()).toMatchObject({ version: 2, at: 'beta' })
  await project.succeed('install', '--frozen')
  await project.succeed('add', `${address}@1.0.0`)
  expect(await locked()).toMatchObject({ version: 1 })
  expect((await project.run('add', `${address}@!`)).code).toBe(2)
  expect((await project.succeed('fetch', `${address}@~1.0`)).trim()).toBe('# Patch')
})

test('deprecate tells users what to use, and versions and info show every state', async () => {
  const { agent, address, project } = await setUp()
  await as(agent, 'withdraw', `${address}@1`, '--reason', 'Old.')
  const deprecate = ['deprecate', `${address}@3`]
  expect((await as(agent, ...deprecate, '--message', 'Old.', '--use', 'a/b/c@5')).code).toBe(0)
  const { err } = await project.run('add', address)
  expect(err).toContain(`${address}, version 3, is deprecated: Old. Use a/b/c@5 instead.`)
  const { out } = await as(agent, 'versions', address)
  expect(out).toMatch(/3 .* 1\.2\.0, latest +deprecated\n/)
  expect(out).toMatch(/1 .* 1\.0\.0 +withdrawn\n/)
  expect((await as(agent, 'info', address)).out).toMatch(/Use instead +a\/b\/c@5\n/)
  expect((await as(agent, ...deprecate, '--undo')).code).toBe(0)
  for (const args of [['withdraw', address], ['withdraw', `${address}@2`], deprecate]) {
    expect((await as(agent, ...args)).code).toBe(2)
  }
})

test('publish --update replaces a skill whose versions are all withdrawn', async () => {
  const { agent, slug, address, project } = await setUp(1)
  await as(agent, 'withdraw', `${address}@1`, '--reason', 'Bad.')
  await project.write('SKILL.md', `---\nname: ${slug}\ndescription: Deploys.\n---\n# Good\n`)
  const folder = project.path('SKILL.md').replace(/\/SKILL\.md$/, '')
  const { code, out } = await as(agent, 'publish', folder, '--update', '--label', '2.0.0')
  expect(code).toBe(0)
  expect(out).toContain(`Published ${address}, version 2`)
  expect((await as(agent, 'versions', address)).out).toContain('2.0.0, latest')
})

test('approve approves or declines a version that waits', async () => {
  const acme = await createOrganization(server)
  const publisher = await server.agent('publisher')
  await acme.add(publisher, 'publisher')
  await acme.owner.client.registry.organizations.update({
    params: { username: acme.username },
    body: { approval: 'versions' },
  })
  const publishOne = async () => {
    const slug = unique('tool')
    const body = { name: slug, slug, readme: '# x', owner: acme.username }
    await publisher.client.registry.skills.publish({ body })
    return `${acme.username}/skills/${slug}`
  }
  const [one, other] = [await publishOne(), await publishOne()]
  expect((await as(publisher, 'approve', `${one}@1`)).code).toBe(1)
  expect((await as(acme.owner, 'approve', `${one}@1`)).out).toBe(`Approved ${one}, version 1.\n`)
  const declined = await as(acme.owner, 'approve', `${other}@1`, '--decline', 'No.')
  expect(declined.out).toBe(`Declined ${other}, version 1.\n`)
  expect((await as(publisher, 'versions', `${other}@1`)).out).toContain('declined')
})
