import { reservedSegments } from '@skillpass/contract'
import { applyDeclaration } from '@skillpass/server/apply/apply'
import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { isReservedName, isReservedTitle, reservedWords } from '@skillpass/server/names/reserved'
import { skeletonOf, usernameSkeleton } from '@skillpass/server/names/skeleton'
import { createAgent } from '@skillpass/server/registry/agents'
import { type ImportNote, importSkills } from '@skillpass/server/registry/import/import'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { password } from '../../support/apps.ts'
import { createTestDatabase, engine } from '../../support/databases.ts'
import { signIn } from '../../support/people.ts'
import { refused } from '../../support/platform.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { ask, expectError, publish, unique, writeJsonl } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { parted } from '../../support/words.ts'

const register = (server: TestServer, body: object) =>
  ask(server, 'POST', '/api/v1/agents/register', { body })

const record = (owner: string, change: object = {}) => ({
  owner,
  repo: 'tools',
  slug: 'one',
  readme: '# One',
  ...change,
})

/** Imports and gives the rules of what was refused, too. */
async function importing(server: TestServer, lines: object[], as = 'importer') {
  const notes: ImportNote[] = []
  const file = await writeJsonl(lines)
  const onNote = (note: ImportNote) => notes.push(note)
  const summary = await importSkills(server.ctx, [file], { as, onNote })
  return { ...summary, rules: notes.map(({ rule }) => rule), notes }
}

/** A name as an impostor writes it: digits for letters, hyphens between. */
const disguises: Record<string, string> = { o: '0', i: '1', l: '1', e: '3', a: '4', s: '5', t: '7' }
const disguised = (word: string) =>
  word.replace(/[oileast]/, (letter) => disguises[letter] ?? letter)

/** Usernames that speak for the service by words run together, numbers or a letter that is missing. */
const speaking = [
  ...['securityteam', 'adminteam', 'supportteam', 'customersupport', 'registrysupport'],
  ...['official-skills', 'admin-1', 'support1', 'staff1', '1admin', 'moderation', 'support-desk'],
  ...['skllpass', 'skillpas', 'skilpass-team', 'skillpas5', '5kill1pass', 'the-adm1n-team-24'],
]

/** Names with a reserved word beside another, or within one. */
const harmless = [
  ...['systematic', 'rootly', 'supportive-llama', 'administrate-this', 'badminton'],
  ...['registry-of-deeds', 'official-joke', 'systemd-helper', 'root-cause-finder', 'pdf-support'],
  ...[
    'security-audit',
    'admin-dashboard-builder',
    'legal-skills',
    '1password',
    'skills-pass-tests',
  ],
]

/** Titles that speak for the service, of people and of apps. */
const speakingTitles = [
  ...['Sĸillpass', 'Sкillpass', 'Sᴋɪʟʟᴘᴀꜱꜱ', '🅢🅚🅘🅛🅛🅟🅐🅢🅢', 'Skill|pass', 'Skill·pass', 'Skillǀpass'],
  ...['Skill||pass HQ', 'Skilpass Helpers', 'System Message', 'Official Login', 'Account Security'],
  ...['Sign-in', 'Log in', 'Support (24/7)', '★ Admin ★', 'Official Skills'],
]

/** The brand and words of rank with one letter of another alphabet. */
const foreignTitles = [
  ...['SKILLPΛSS', 'SkillPɐss', 'Skillpaß', 'Skillpaẞ', 'ꚂKILLPASS', 'ꞩkillpass', 'Sҝillpass'],
  ...['Skillþass', 'My SKILLPΛSS', 'SkillPɐssHQ', 'Skillpสss', 'Skill技pass', 'Skillpas力'],
  ...['AdmiП', 'ADMІПІSTRATOR', 'ADMIИ', 'SΞCURITY', 'Ski││pass', 'Skiꞁꞁpass'],
  ...['Adm¡n', 'Admiп', 'ɐdɱin', 'Λdmin', 'Suppөrt Tєam', 'ꞩtaff', 'Яoot'],
]

/** Honest names of other alphabets. */
const foreignHarmless = [
  ...['Straße', 'Weißbier', 'Þór', 'Łukasz', 'Команда', 'Поддержка', 'Система', 'Помощь', 'Скилл'],
  ...parted('Αθήνα¦Κώστας¦技能通行¦Skill技術¦スキルパス¦Øystein¦¡Hola!¦Ñandú Helper'),
]

/** Titles that only hold such words. */
const harmlessTitles = [
  ...['Support Desk Helper', 'Security Scanner', 'Login Tester', 'Message Sorter', 'Systematic'],
  ...['Official Joke', 'Skills Pass the Test', 'Security Skills'],
]

const usable = (word: string) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/.test(word) && word.length <= 39

describe('names', async () => {
  const server = await startTestServer()
  const refusedName = async (username: string) => {
    const { details } = await expectError(register(server, { username }), 'VALIDATION_ERROR')
    expect([username, details[0]?.path]).toEqual([username, 'username'])
  }

  test('no stranger registers a reserved name, as it is or in disguise', async () => {
    for (const word of reservedWords.filter(usable)) await refusedName(word)
    for (const word of reservedWords.map(disguised).filter(usable)) await refusedName(word)
    for (const name of [
      ...['adm1n', 'r00t', 'sk1llpass', 'skill-pass', 'lmporter', '1mporter', 'rnoderator'],
      ...['5upp0rt', 's-y-s-t-e-m', 'no-reply', 'official-skillpass', 'skillpass2', 'my-skillpass'],
      ...['official-support', 'the-admin-team', 'adrnin', 'reg1stry', '0ff1c1a1', '5ecur17y'],
    ]) {
      await refusedName(name)
    }
  })

  test('names that only hold such words stay free', async () => {
    for (const name of ['support-desk-bot', 'security-scanner', 'root-cause', 'mail-sorter']) {
      expect((await register(server, { username: name })).status).toBe(201)
    }
  })

  test.each(speaking)('no stranger registers %s, which speaks for the service', refusedName)

  test.each(harmless)('%s is anybody’s name', async (username) => {
    expect((await register(server, { username })).status).toBe(201)
  })

  test.each(foreignTitles)(
    'nor a foreign letter in a word of the service: “%s”',
    async (displayName) => {
      const body = { username: unique('plain'), displayName }
      const { details } = await expectError(register(server, body), 'VALIDATION_ERROR')
      expect(details.map(({ path }) => path)).toEqual(['displayName'])
    },
  )

  test.each(speakingTitles)('no display name is “%s”', async (displayName) => {
    const body = { username: unique('plain'), displayName }
    const { details } = await expectError(register(server, body), 'VALIDATION_ERROR')
    expect(details.map(({ path }) => path)).toEqual(['displayName'])
  })

  test.each([...harmlessTitles, ...foreignHarmless])(
    '“%s” is anybody’s display name',
    async (displayName) => {
      const body = { username: unique('plain'), displayName }
      expect((await register(server, body)).status).toBe(201)
    },
  )

  test('hyphens, dots and underscores make no other agent and no other owner', async () => {
    const end = unique('').replace('-', '')
    const owner = `harp.maker_${end}`
    expect(await importing(server, [record(owner), record(`drum${end}`)])).toMatchObject({
      imported: 2,
    })
    expect((await register(server, { username: `demo-agent${end}` })).status).toBe(201)
    for (const username of [
      ...[`harp-maker${end}`, `harpmaker${end}`, `dr-um${end}`],
      ...[`demoagent${end}`, `d-emo--agent${end}`],
    ]) {
      const { message } = await expectError(register(server, { username }), 'CONFLICT')
      expect(message).toContain('looks like')
    }
  })

  test('no display name claims to be the service', async () => {
    for (const displayName of ['Skillpass', 'Official Skillpass', 'Аdmin', 'Support Team']) {
      const body = { username: unique('plain'), displayName }
      const { details } = await expectError(register(server, body), 'VALIDATION_ERROR')
      expect([displayName, details[0]?.path]).toEqual([displayName, 'displayName'])
    }
    const body = { username: unique('plain'), displayName: 'Support Desk Helper' }
    expect((await register(server, body)).status).toBe(201)
  })

  test('no name is taken that looks like another agent or an imported owner', async () => {
    const name = unique('paypal')
    expect((await register(server, { username: name })).status).toBe(201)
    const twin = name.replace('paypal', 'paypa1')
    const { message } = await expectError(register(server, { username: twin }), 'CONFLICT')
    expect(message).toContain('looks like')
    const owner = unique('Modern')
    expect(await importing(server, [record(owner)])).toMatchObject({ imported: 1 })
    const like = owner.toLowerCase().replace('m', 'rn')
    await expectError(register(server, { username: like }), 'CONFLICT')
  })

  test('of names that look alike and come at once, one is given', async () => {
    const end = unique('').replaceAll(/[^a-f2-9]/g, '')
    const names = ['bill', 'bi1l', 'bil1', 'b1ll', 'b11l', 'biii'].map((name) => `${name}-${end}`)
    const answers = await Promise.all(names.map((username) => register(server, { username })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409])
  })

  test('an import gives no skill to an agent that came by API, and writes nothing', async () => {
    const stranger = await server.agent('stranger')
    const owner = unique('upstream')
    const lines = [record(owner)]
    await expect(importing(server, lines, stranger.username)).rejects.toThrow(
      new RegExp(`"${stranger.username}" was registered by API.*--as`),
    )
    const { repositories } = await server.ctx.db.read
      .selectFrom('repositories')
      .select((eb) => eb.fn.countAll<number>().as('repositories'))
      .where('owner_key', '=', owner)
      .executeTakeFirstOrThrow()
    expect(repositories).toBe(0)
    // The operator may vouch for an agent, and then it may be given skills.
    const { username } = stranger
    const db = server.ctx.db
    await applyDeclaration(server.ctx, { agents: [{ username }] })
    await expect(importing(server, lines, username)).rejects.toThrow('registered by API')
    const { agents } = await applyDeclaration(
      { ...server.ctx, db },
      {
        agents: [{ username, operator: true }],
      },
    )
    expect(agents).toEqual([{ username, id: stranger.id }])
    expect(await importing(server, lines, username)).toMatchObject({ imported: 1 })
  })

  test('a stranger who had the name of the default agent before it was reserved gets nothing', async () => {
    const old = await startTestServer()
    onTestFinished(old.end)
    const { apiKey } = await old.ctx.db.write((trx) =>
      createAgent(old.ctx, trx, { username: 'importer' }, 'api'),
    )
    await expect(importing(old, [record('victim')])).rejects.toThrow('"importer" was registered')
    const own = { id: '', username: 'importer', apiKey, client: old.clientFor(apiKey) }
    await publish(own, { slug: 'mine' })
    expect(await importing(old, [record('victim')], 'upstream')).toMatchObject({ imported: 1 })
    await eventually(async () => {
      const { data } = await old.client.registry.skills.search({ query: { owner: 'victim' } })
      expect(data[0]?.owner.username).toBe('upstream')
    })
  })

  test('the operator may use reserved names, whatever look-alike came before', async () => {
    const fresh = await startTestServer()
    onTestFinished(fresh.end)
    expect((await register(fresh, { username: 'acrne' })).status).toBe(201)
    const agents = ['support', 'acme'].map((username) => ({ username }))
    const applied = await applyDeclaration(fresh.ctx, { agents })
    expect(applied.agents.map(({ apiKey }) => apiKey)).toEqual([
      expect.stringMatching(/^skp_/),
      expect.stringMatching(/^skp_/),
    ])
    expect(await importing(fresh, [record('importer')])).toMatchObject({ imported: 1 })
    // An import for an older look-alike of the operator takes no look from the younger one.
    for (const as of ['harp-maker', 'harpmaker', 'harp-maker']) {
      await importing(fresh, [record(unique('upstream'))], as)
    }
    expect((await register(fresh, { username: 'harprnaker' })).status).toBe(409)
  })

  test('an import takes no owner or repository that is reserved or not ASCII', async () => {
    const owner = unique('fine')
    const lines = [
      record('Admin'),
      record('0fficial'),
      record('sk1ll-pass'),
      record('docs'),
      record('аcme'),
      record('ａcme'),
      record(`${owner}\u200b`),
      record(owner, { repo: 'tооls' }),
      record(owner, { repo: 'a:b' }),
      record(owner),
    ]
    const { imported, rules } = await importing(server, lines)
    expect({ imported, rules: rules.filter((rule) => /reserved|bad/.test(rule)) }).toEqual({
      imported: 1,
      rules: [
        ...Array(4).fill('reserved-owner'),
        ...Array(3).fill('bad-owner'),
        'bad-repo',
        'bad-repo',
      ],
    })
  })

  test('stars of an import are bounded, one number a repository, and shown as claimed', async () => {
    const owner = unique('starry')
    const lines = [
      record(owner, { repo: 'many', stars: 2_000_000_000 }),
      record(owner, { repo: 'some', slug: 'none-known' }),
      record(owner, { repo: 'some', stars: 7 }),
      record(owner, { repo: 'some', stars: 900_000, slug: 'two' }),
      record(owner, {
        repo: 'none',
        readme: '---\nname: one\ndescription: Says so.\nstars: 5000\n---\n',
      }),
    ]
    const { rules } = await importing(server, lines)
    expect(rules).toEqual(expect.arrayContaining(['stars-cut', 'stars-differ']))
    await eventually(async () => {
      const { data } = await server.client.registry.skills.search({ query: { owner, limit: 50 } })
      const stars = new Map(data.map(({ repo }) => [repo.name, repo.importedStars]))
      expect(Object.fromEntries(stars)).toEqual({ many: 1_000_000, some: 7, none: 0 })
    })
    const { data } = await server.client.registry.skills.search({ query: { owner, repo: 'some' } })
    const [skill] = data
    const fan = await server.agent('fan')
    await fan.client.registry.skills.star({ params: { id: skill?.id ?? '' } })
    const starred = await server.client.registry.skills.get({ params: { id: skill?.id ?? '' } })
    expect(starred.data.repo).toMatchObject({ starCount: 8, importedStars: 7 })
    const page = await server.http(`/${owner}/some/one`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('8 on its repository (7 claimed by its source at import)')
  })

  test('an old database tells agents of imports from those of the API, which have keys', async () => {
    const { url, remove } = await createTestDatabase(engine)
    const db = await openDatabase(url)
    onTestFinished(async () => {
      await db.close()
      await remove()
    })
    await migrateUp(db)
    while ((await migrateDown(db)) !== '0007-agent-origin');
    await db.write(async (trx) => {
      for (const [id, username] of ['importer', 'stranger', 'paypal', 'paypa1'].entries()) {
        await sql`insert into agents (id, username, created_at) values (${`${id}`}, ${username}, ${id})`.execute(
          trx,
        )
        if (username === 'importer') continue
        await sql`insert into api_keys (id, agent_id, name, key_hash, key_prefix, created_at)
          values (${`${id}`}, ${`${id}`}, 'registration', ${`${id}`}, 'skp_', 0)`.execute(trx)
      }
      await sql`insert into repositories (id, agent_id, owner, name, owner_key, name_key, created_at)
        values ('r', '0', 'Modern', 'tools', 'modern', 'tools', 0)`.execute(trx)
    })
    await migrateUp(db)
    const agents = await db.read
      .selectFrom('agents')
      .select(['username', 'origin', 'skeleton'])
      .orderBy('created_at')
      .execute()
    expect(agents.map(Object.values)).toEqual([
      ['importer', 'operator', skeletonOf('importer')],
      ['stranger', 'api', skeletonOf('stranger')],
      ['paypal', 'api', skeletonOf('paypal')],
      ['paypa1', 'api', null],
    ])
    const [repository] = await db.read.selectFrom('repositories').selectAll().execute()
    expect(repository?.owner_skeleton).toBe(skeletonOf('rnodern'))
  })

  test('of old names that differ by hyphens alone, the operator’s and then the oldest keeps the look', async () => {
    const { url, remove } = await createTestDatabase(engine)
    const db = await openDatabase(url)
    onTestFinished(async () => {
      await db.close()
      await remove()
    })
    await migrateUp(db)
    while ((await migrateDown(db)) !== '0015-username-skeletons');
    const names = ['demoagent', 'demo-agent', 'harp-maker', 'harpmaker', 'b-en', 'be-n']
    await db.write(async (trx) => {
      for (const [at, username] of names.entries()) {
        const origin = username === 'demo-agent' ? 'operator' : 'api'
        const skeleton = skeletonOf(username)
        await sql`insert into agents (id, username, created_at, origin, skeleton)
          values (${`${at}`}, ${username}, ${at}, ${origin}, ${skeleton})`.execute(trx)
      }
      await sql`insert into repositories (id, agent_id, owner, name, owner_key, name_key, created_at)
        values ('r', '1', 'Dot.Net_Tools', 'tools', 'dot.net_tools', 'tools', 0)`.execute(trx)
    })
    const looks = async () => {
      const agents = await db.read
        .selectFrom('agents')
        .select('skeleton')
        .orderBy('created_at')
        .execute()
      const owners = await db.read.selectFrom('repositories').select('owner_skeleton').execute()
      return [agents.map(({ skeleton }) => skeleton), owners[0]?.owner_skeleton]
    }
    await migrateUp(db)
    const [demo, harp, ben] = ['demoagent', 'harpmaker', 'ben'].map(skeletonOf)
    expect(await looks()).toEqual([[null, demo, harp, null, ben, null], skeletonOf('dotnettools')])
    while ((await migrateDown(db)) !== '0015-username-skeletons');
    expect(await looks()).toEqual([names.map(skeletonOf), skeletonOf('dot.net_tools')])
  })
})

describe('names of apps', async () => {
  const scene = await startAppManagers()

  test('no developer gives an app the name of the service, by API or on the console', async () => {
    const app = await scene.register('member')
    const session = await signIn(scene, { email: 'member@testAccounts.test', password })
    const html = await (await session.get('/console/new')).text()
    for (const name of [
      ...['Skillpass', 'SKILLPASS', 'Official Skillpass', 'SkillpassHQ', 'Sk1ll Pass', 'Аdmin'],
      ...speakingTitles,
      ...foreignTitles,
      ...['Ꭺdmin', 'ａdmin', 'Support', 'The Security Team', 'AdminTeam', 'Official', '𝐒𝐤𝐢𝐥𝐥𝐩𝐚𝐬𝐬'],
    ]) {
      const answer = await scene.call('member', 'POST', '/apps', { name, type: 'general' })
      expect([name, refused(answer)]).toEqual([name, expect.stringContaining('400 300 name')])
      const renamed = await scene.call('member', 'PATCH', `/apps/${app.id}`, { name })
      expect(refused(renamed)).toContain('400 300 name')
      const form = { name, type: 'general', level: 'user', redirect_uris: '' }
      const page = await session.submit(html, '/console/new', form)
      expect(page.status).toBe(400)
      expect(await page.text()).toContain('reserved')
    }
  })

  test('apps that only speak of such things are fine, and the operator names any', async () => {
    for (const name of [...harmlessTitles, ...foreignHarmless, 'My App', 'Mail']) {
      expect((await scene.register('member', { name })).name).toBe(name)
    }
    const apps = [{ name: 'Skillpass Support', account: 'Acme', type: 'general' as const }]
    await expect(applyDeclaration(scene.ctx, { apps })).resolves.toMatchObject({ apps: [{}] })
  })
})

describe('what a name looks like', () => {
  test.each([
    ['paypal', 'раураӏ'],
    ['paypal', 'PayPaI'],
    ['paypal', 'paypa1'],
    ['modern', 'rnodern'],
    ['google', 'g00gle'],
    ['microsoft', 'ｍｉｃｒｏｓｏｆｔ'],
    ['anthropic', 'аnthrоріс'],
    ['scope', 'ѕсоре'],
    ['wave', 'vvave'],
    ['resume', 'résumé'],
    ['hidden', 'hid\u200bden'],
  ])('%s is %s', (name, twin) => {
    expect(skeletonOf(twin)).toBe(skeletonOf(name))
  })

  test('names that differ to the eye differ', () => {
    for (const [one, other] of [
      ['agent-1', 'agent-2'],
      ['agent-11', 'agent-1-1'],
      ['meta', 'beta'],
      ['a5', 'as'],
    ] as const) {
      expect(skeletonOf(one)).not.toBe(skeletonOf(other))
    }
  })

  test('usernames that differ by what parts their words look the same', () => {
    for (const name of ['harp-maker', 'Harp_Maker', 'harp.maker', 'h-arpmaker']) {
      expect(usernameSkeleton(name)).toBe(usernameSkeleton('harpmaker'))
    }
    expect(usernameSkeleton('agent-1')).not.toBe(usernameSkeleton('agent-2'))
  })

  test('every route is reserved, and no title is for being the name of one', () => {
    for (const segment of reservedSegments)
      expect([segment, isReservedName(segment)]).toEqual([segment, true])
    expect(isReservedTitle('Search')).toBe(false)
  })
})
