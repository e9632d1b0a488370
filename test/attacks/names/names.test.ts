import { expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { password } from '../../support/apps.ts'
import { importSkills } from '../../support/importing.ts'
import { signIn } from '../../support/people.ts'
import { refused } from '../../support/platform.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { ask, expectError, pageAt, unique, writeJsonl } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { splitAtBars, words } from '../../support/words.ts'

const register = (server: TestServer, body: object) =>
  ask(server, 'POST', '/api/v1/agents/register', { body })

const record = (owner: string, change: object = {}) => ({
  owner,
  repo: 'tools',
  slug: 'one',
  readme: '# One',
  ...change,
})

/** Imports, and returns the summary with the violated rules. */
async function importing(server: TestServer, lines: object[], as = 'importer') {
  const report = await importSkills(server, await writeJsonl(lines), '--as', as)
  return { ...report, rules: report.notes.map(({ rule }) => rule) }
}

/** Usernames that disguise a reserved word or imitate the service. */
const reservedNames = words(`
  admin importer adm1n r00t skill-pass lmporter rnoderator s-y-s-t-e-m no-reply skillpass2
  my-skillpass the-admin-team adminteam official-skills 1admin skllpass skilpass-team 5kill1pass
`)

/** Usernames that contain a reserved word next to another word or within one. */
const freeNames = words(
  'support-desk-bot root-cause systematic badminton official-joke skills-pass-tests',
)

/** Display names that imitate the service, some with letters of another alphabet. */
const reservedTitles = splitAtBars(
  'Skillpass¦Official Skillpass¦SkillpassHQ¦Sk1ll Pass¦Support Team¦Sᴋɪʟʟᴘᴀꜱꜱ¦🅢🅚🅘🅛🅛🅟🅐🅢🅢¦Skill·pass',
  'Skilpass Helpers¦System Message¦Account Security¦Sign-in¦Support (24/7)¦★ Admin ★¦Аdmin¦Ꭺdmin',
  'ａdmin¦𝐒𝐤𝐢𝐥𝐥𝐩𝐚𝐬𝐬¦SKILLPΛSS¦Skillpaß¦My SKILLPΛSS¦Skillpสss¦Skill技pass¦Ski││pass¦Adm¡n¦Admiп¦Яoot',
)

/** Allowed names in other alphabets. */
const foreignFree = splitAtBars('Straße¦Łukasz¦Команда¦Система¦Αθήνα¦技能通行¦Skill技術¦¡Hola!')

/** Allowed titles that contain reserved words. Route segments are reserved only as usernames. */
const freeTitles = ['Support Desk Helper', 'Search']

const server = await startTestServer()
const expectRefused = async (field: 'username' | 'displayName', body: object) => {
  const { details } = await expectError(register(server, body), 'VALIDATION_ERROR')
  expect(details.map(({ path }) => path)).toEqual([field])
}

test.each(reservedNames)('the reserved username %s cannot be registered', (username) =>
  expectRefused('username', { username }),
)

test.each(freeNames)('the username %s is free', async (username) => {
  expect((await register(server, { username })).status).toBe(201)
})

test.each(reservedTitles)('the reserved display name “%s” cannot be registered', (displayName) =>
  expectRefused('displayName', { username: unique('plain'), displayName }),
)

test.each([...freeTitles, ...foreignFree])('the display name “%s” is free', async (displayName) => {
  const body = { username: unique('plain'), displayName }
  expect((await register(server, body)).status).toBe(201)
})

test('names that differ only in hyphens, dots or underscores are the same name', async () => {
  const end = unique('').replace('-', '')
  const lines = [record(`harp.maker_${end}`), record(`drum${end}`)]
  expect(await importing(server, lines)).toMatchObject({ imported: 2 })
  expect((await register(server, { username: `demo-agent${end}` })).status).toBe(201)
  for (const name of ['harp-maker', 'harpmaker', 'dr-um', 'demoagent', 'd-emo--agent']) {
    const body = { username: `${name}${end}` }
    expect((await expectError(register(server, body), 'CONFLICT')).message).toContain('looks like')
  }
})

test('a name that looks like another agent or an imported owner cannot be registered', async () => {
  const name = unique('paypal')
  expect((await register(server, { username: name })).status).toBe(201)
  const lookalike = name.replace('paypal', 'paypa1')
  const { message } = await expectError(register(server, { username: lookalike }), 'CONFLICT')
  expect(message).toContain('looks like')
  const owner = unique('Modern')
  expect(await importing(server, [record(owner)])).toMatchObject({ imported: 1 })
  const like = owner.toLowerCase().replace('m', 'rn')
  await expectError(register(server, { username: like }), 'CONFLICT')
})

test('an import for an agent that registered through the API is refused and writes nothing', async () => {
  const stranger = await server.agent('stranger')
  const owner = unique('upstream')
  const lines = [record(owner)]
  await expect(importing(server, lines, stranger.username)).rejects.toThrow(
    new RegExp(`"${stranger.username}" was registered through the API.*--as`),
  )
  const repositories = await server.ctx.db.read
    .selectFrom('repositories')
    .select('id')
    .where('owner_key', '=', owner)
    .execute()
  expect(repositories).toEqual([])
  // The operator may adopt the agent explicitly.
  const { username } = stranger
  await server.apply({ agents: [{ username }] })
  await expect(importing(server, lines, username)).rejects.toThrow('registered through the API')
  const declaration = { agents: [{ username, operator: true }] }
  const { agents } = await server.apply(declaration)
  expect(agents).toEqual([{ username, id: stranger.id }])
  expect(await importing(server, lines, username)).toMatchObject({ imported: 1 })
})

test('an import refuses owners and repositories that are reserved or not ASCII', async () => {
  const owner = unique('fine')
  const reserved = ['Admin', '0fficial', 'sk1ll-pass', 'docs']
  const owners = [...reserved, 'аcme', 'ａcme', `${owner}\u200b`, owner]
  const repos = ['tооls', 'a:b'].map((repo) => record(owner, { repo }))
  const lines = [...owners.map((each) => record(each)), ...repos]
  const { imported, rules } = await importing(server, lines)
  expect({ imported, rules: rules.filter((rule) => /reserved|bad/.test(rule)) }).toEqual({
    imported: 1,
    rules: [
      ...Array(4).fill('reserved-owner'),
      ...Array(3).fill('bad-owner'),
      ...Array(2).fill('bad-repo'),
    ],
  })
})

test('imported stars are capped, equal within a repository, and shown as claimed', async () => {
  const owner = unique('starry')
  const lines = [
    record(owner, { repo: 'many', stars: 2_000_000_000 }),
    record(owner, { repo: 'some', slug: 'none-known' }),
    record(owner, { repo: 'some', stars: 7 }),
    record(owner, { repo: 'some', stars: 900_000, slug: 'two' }),
    record(owner, { repo: 'none', readme: '---\nname: one\nstars: 5000\n---\n' }),
  ]
  const { rules } = await importing(server, lines)
  expect(rules).toEqual(expect.arrayContaining(['stars-cut', 'stars-differ']))
  const found = () => server.client.registry.skills.search({ query: { owner, limit: 50 } })
  await eventually(async () => {
    const stars = (await found()).data.map(({ repo }) => [repo.name, repo.importedStars])
    expect(Object.fromEntries(stars)).toEqual({ many: 1_000_000, some: 7, none: 0 })
  })
  const id = (await found()).data.find(({ repo }) => repo.name === 'some')?.id ?? ''
  const fan = await server.agent('fan')
  await fan.client.registry.skills.star({ params: { id } })
  const { data } = await server.client.registry.skills.get({ params: { id } })
  expect(data.repo).toMatchObject({ starCount: 8, importedStars: 7 })
  const page = await pageAt(server, `/${owner}/some/one`)
  expect(page).toContain('8 on its repository (7 claimed by its source at import)')
})

test('a developer cannot give an app a reserved name, through the API or the console', async () => {
  const server = await startAppManagers()
  const app = await server.register('member')
  const session = await signIn(server, { email: 'member@acme.test', password })
  const html = await (await session.get('/console/new?type=general')).text()
  for (const name of splitAtBars('Skillpass¦The Security Team¦Sᴋɪʟʟᴘᴀꜱꜱ¦My SKILLPΛSS')) {
    const response = await server.call('member', 'POST', '/apps', { name, type: 'general' })
    expect([name, refused(response)]).toEqual([name, expect.stringContaining('400 300 name')])
    const renamed = await server.call('member', 'PATCH', `/apps/${app.id}`, { name })
    expect(refused(renamed)).toContain('400 300 name')
    const form = { name, level: 'user', redirect_uris: '' }
    const page = await session.submit(html, '/console/new', form)
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('reserved')
  }
})
