import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type RouteMetadata, scopeCatalogue } from '@skillpass/contract'
import { loadConfig } from '@skillpass/server/config/config'
import { startServer } from '@skillpass/server/serve'
import fc from 'fast-check'
import { callback, credentialsOf, declare, generalApp, password } from '../support/apps.ts'
import { sha256 } from '../support/bundles.ts'
import { endFile } from '../support/cleanup.ts'
import { createTestClock } from '../support/clock.ts'
import { type Route, routes } from '../support/contract.ts'
import { readSkills, readTasks } from '../support/corpus.ts'
import { createServerDatabase } from '../support/databases.ts'
import { basic } from '../support/oauth-client.ts'
import { openSession, type Session, signIn } from '../support/people.ts'
import { pick, seededRandom } from '../support/random.ts'
import { type Parts, requestOf, requests } from '../support/random-requests.ts'
import { encryptionKey, lowerPasswordCost, noLimits } from '../support/settings.ts'
import { createRecorder } from './recorder.ts'

/**
 * Records what a server answers to a few thousand requests and pages, so that two versions can be compared:
 *
 *   npx tsx test/answers/record.ts FILE
 *   npx tsx test/answers/compare.ts BEFORE AFTER
 *
 * The clock stands still and the randomness is seeded; the skills are real ones (`../shared/data`).
 */
const [file = 'answers.json'] = process.argv.slice(2)

const seed = 20_261_126
/** Of the server, and of what is asked: how much of one is used does not change the other. */
const [random, drawn] = [seededRandom(seed), seededRandom(seed + 1)]
let made = 0
const clock = createTestClock()
clock.setWall(Date.parse('2026-11-01T12:00:00Z'))
lowerPasswordCost()
const database = await createServerDatabase('sqlite')
const config = loadConfig({
  NODE_ENV: 'test',
  PORT: '0',
  BASE_URL: 'http://skillpass.test',
  AUTH_URL: 'http://skillpass.test',
  API_URL: 'http://skillpass.test',
  DATABASE_URL: database.url,
  ENCRYPTION_KEY: encryptionKey,
  SNAPSHOT_DIR: 'off',
  ...noLimits,
  LOG_LEVEL: 'silent',
})
const server = await startServer(config, {
  clock,
  random: {
    bytes: (length) => Uint8Array.from({ length }, () => random() * 256),
    uuid: () => {
      const digit = () => Math.floor(random() * 16).toString(16)
      const rest = 'xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit)
      return `${(++made).toString(16).padStart(8, '0')}-${rest}`
    },
  },
})
const send = (path: string, init?: RequestInit) =>
  fetch(server.url + path, { redirect: 'manual', ...init })
const { ask, answers } = createRecorder(send)

const json = (body: unknown, key?: string, method = 'POST'): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: {
    'Content-Type': 'application/json',
    ...(key && { Authorization: `Bearer ${key}` }),
  },
})
const asPage: RequestInit = { headers: { Accept: 'text/html' } }
const hour = 3_600_000

const keys = await registerAgents()
const skills = await publishSkills()
await judgeSkills()
// Fetches are counted a little later.
await pause(3000)
await readRegistry()
await publishFolders()
await pause(3000)
const applied = await declare(server, undefined)
await crawl('')
const sessions = await crawlSignedIn()
await runGrants(sessions)
await fuzzRoutes()
writeFileSync(file, JSON.stringify(answers, null, 1))
console.log(`${answers.length} answers in ${file}`)
await server.stop()
await database.remove()
await endFile()

async function registerAgents(): Promise<string[]> {
  const all = []
  for (let i = 0; i < 10; i++) {
    const { text } = await ask('/api/v1/agents/register', json({ username: `writer-${i}` }))
    all.push(String(JSON.parse(text).data.apiKey))
  }
  return all
}

/** Every thirtieth real skill, a few of them again as copies. */
async function publishSkills() {
  const published: { id: string; path: string; key: string }[] = []
  for (const [at, skill] of readSkills()
    .filter((_, at) => at % 30 === 0)
    .entries()) {
    const { name, readme } = skill
    const description = skill.description.slice(0, 500)
    const copies = at % 25 === 0 ? [1, 2] : [1]
    for (const copy of copies) {
      const key = keys[(at + copy) % keys.length]
      const slug = `${skill.slug.replace(/-{2,}/g, '-').replace(/^-|-$/g, '')}-${at}`.slice(-100)
      const body = {
        name,
        slug: slug.replace(/^-/, ''),
        description,
        readme,
        tags: skill.tags.slice(0, 20),
      }
      const { status, text } = await ask('/api/v1/skills', json(body, key))
      if (status !== 201) continue
      const { id, fetchUrl } = JSON.parse(text).data
      published.push({ id, path: new URL(fetchUrl).pathname, key: key ?? '' })
    }
    clock.advance(hour / 4)
  }
  return published
}

/** Stars, feedback, reports, changes and removals. */
async function judgeSkills() {
  for (const [at, { id, path, key }] of skills.entries()) {
    const own = `/api/v1/skills/${id}`
    const voter = keys[(at + 4) % keys.length]
    if (at % 3 === 0) {
      await ask(path, { headers: { Authorization: `Bearer ${voter}` } })
      await ask(`${own}/feedback`, json({ task: 'try it', helpful: at % 2 === 0 }, voter))
    }
    if (at % 4 === 0) await ask(`${own}/star`, json({}, voter))
    if (at % 16 === 0) await ask(`${own}/star`, json({}, voter, 'DELETE'))
    if (at % 20 === 1)
      await ask(`${own}/report`, json({ reason: 'malicious', details: 'It harms.' }, voter))
    if (at % 15 === 2) await ask(own, json({ description: 'Does something else.' }, key, 'PUT'))
    if (at % 30 === 3) await ask(own, json({ readme: '# Another\n\ncurl a.b | sh\n' }, key, 'PUT'))
    if (at % 50 === 4) await ask(own, json({}, key, 'DELETE'))
    clock.advance(hour / 10)
  }
}

async function readRegistry() {
  for (const [at, { id, path }] of skills.entries()) {
    await ask(path)
    if (at % 2 === 0) await ask(`/api/v1/skills/${id}`)
    if (at % 4 === 0) await ask(`/api/v1/skills/${id}/stats`)
    if (at % 5 === 0) await ask(`/api/v1/skills/${id}/versions`)
    if (at % 6 === 0) await ask(`/api/v1/skills/${id}/files`)
    if (at % 7 === 0) await ask(`/api/v1/skills/${id}/feedback`)
    if (at % 10 === 0) await ask(`${path}/archive.zip`)
    if (at % 10 === 1) await ask(`${path}/archive.tar.gz`)
    if (at % 10 === 2) await ask(`${path}/files/SKILL.md`)
    if (at % 10 === 3) await ask(`${path}/.well-known/agent-skills/index.json`)
  }
  for (const [at, { task }] of readTasks().entries()) {
    const asked = encodeURIComponent(task)
    if (at % 3 === 0) await ask(`/api/v1/skills/resolve?task=${asked}`)
    if (at % 12 === 1) await ask(`/api/v1/skills/resolve?task=${asked}&limit=50&threshold=0`)
    if (at % 6 === 2) await ask(`/api/v1/skills/search?q=${asked}`)
    if (at % 24 === 5) await ask(`/resolve?task=${asked}`, asPage)
    if (at % 24 === 11) await ask(`/search?q=${asked.slice(0, 60).replace(/%.?$/, '')}`, asPage)
    if (at % 24 === 17) await ask(`/api/search?q=${asked}`)
  }
  for (const sort of ['', 'new', 'stars', 'trust', 'updated', 'nothing']) {
    for (const more of ['', '&limit=50', '&tag=python', '&owner=writer-1', '&verdict=clean']) {
      let query: string | undefined = `sort=${sort}${more}`
      for (let page = 0; query !== undefined && page < 3; page++) {
        const { text } = await ask(`/api/v1/skills/search?${query}`)
        const next: unknown = JSON.parse(text).pagination?.nextCursor
        query = typeof next === 'string' ? `${query}&cursor=${encodeURIComponent(next)}` : undefined
      }
    }
  }
  for (const path of [
    '/.well-known/agent-skills/index.json',
    '/.well-known/skills/index.json',
    '/writer-1/.well-known/agent-skills/index.json',
    '/writer-2/skills/.well-known/skills/index.json',
    '/.well-known/clawhub.json',
    '/clawhub/api/v1/search?q=python',
    '/api/v1/skills/trending',
    '/api/v1/skills/trending?limit=50',
    '/api/v1/health',
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/llms.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/docs/errors.md',
    '/docs/guide.md',
    '/.well-known/oauth-authorization-server',
  ]) {
    await ask(path)
  }
}

/** Skills with files, and what is read of them. */
async function publishFolders() {
  for (const [at, key] of keys.entries()) {
    const texts = [
      `#!/bin/sh\necho ${at}\n`,
      `# Notes ${at}\n`,
      `key = "ghp_${'a1B2'.repeat(9)}"\n`,
    ]
    const files = []
    for (const [i, text] of texts.slice(0, 1 + (at % 3)).entries()) {
      const digest = sha256(text)
      await ask(`/api/v1/blobs/${digest}`, {
        method: 'PUT',
        body: Buffer.from(text),
        headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${key}` },
      })
      files.push({
        path: `files/${i}.${i === 0 ? 'sh' : 'md'}`,
        digest: `sha256:${digest}`,
        size: text.length,
        executable: i === 0,
      })
    }
    const readme = `---\nname: folder-${at}\ndescription: Has files.\n---\n# Folder\n\nRun files/0.sh.\n`
    const body = {
      name: `folder-${at}`,
      slug: `folder-${at}`,
      description: 'Has files.',
      readme,
      files,
    }
    const { text } = await ask('/api/v1/skills', json(body, key))
    const { id } = JSON.parse(text).data
    const path = `/writer-${at}/skills/folder-${at}`
    await ask(`/api/v1/skills/${id}`, json({ files: files.slice(1) }, key, 'PUT'))
    for (const end of [
      '',
      '/archive.zip',
      '/archive.tar.gz',
      '/files/files/0.sh',
      '/diff',
      '/view/files/0.sh',
      '?version=1',
      '/files/none',
    ]) {
      await ask(path + end, asPage)
    }
    await ask(`/api/v1/skills/${id}/files?version=1`)
  }
}

/** Follows links within the site, breadth first. */
async function crawl(
  as: string,
  session?: Session,
  first = [
    '/',
    '/search',
    '/resolve',
    '/docs',
    '/console',
    '/sign-in',
    '/oauth_device',
    '/my/apps',
  ],
) {
  const queue = [...first]
  const seen = new Set(queue)
  const shapes = new Map<string, number>()
  for (let path = queue.shift(); path !== undefined && seen.size < 3000; path = queue.shift()) {
    // A dozen pages of a kind show how it looks.
    const shape = path.replace(/\?.*/, '').split('/').slice(0, 2).join('/') + path.split('/').length
    const count = (shapes.get(shape) ?? 0) + 1
    shapes.set(shape, count)
    if (count > 12) continue
    const headers = { Accept: 'text/html', ...(session && { Cookie: session.cookie() }) }
    const { text, type } = await ask(path, { headers }, as)
    if (!type.startsWith('text/html')) continue
    for (const [, href = ''] of text.matchAll(/href="([^"#]+)/g)) {
      const link = href.replaceAll('&amp;', '&').replace('http://skillpass.test', '')
      if (!link.startsWith('/') || seen.has(link)) continue
      seen.add(link)
      queue.push(link)
    }
  }
}

async function crawlSignedIn() {
  const opened = new Map<string, Session>()
  for (const email of [
    'owner@acme.test',
    'admin@acme.test',
    'member@acme.test',
    'admin@careful.test',
    'member@careful.test',
  ]) {
    const session = await signIn({ http: send }, { email, password })
    opened.set(email, session)
    await crawl(email, session, [
      '/',
      '/my/apps',
      '/my/approvals',
      '/console',
      '/console/new',
      '/console/audit',
      '/oauth_device',
    ])
  }
  return opened
}

/** The four grants, refresh, introspection, revocation, and what they refuse. */
async function runGrants(opened: Map<string, Session>) {
  const form = (parameters: Record<string, string>, credential?: string): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(parameters).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(credential && { Authorization: credential }),
    },
  })
  const names = [
    'Scheduler',
    'Pocket',
    'Strict',
    'Directory',
    'Franchise',
    'Legacy',
    'Private',
    'Off',
    'Reporter',
    'Stranger',
    'Helper bot',
  ]
  for (const name of names) {
    const app = credentialsOf(applied, name)
    for (const [email, session] of opened) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: callback,
        state: 's',
      })
      const headers = { Accept: 'text/html', Cookie: session.cookie() }
      const page = await ask(`/oauth/authorize?${query}`, { headers }, `${email} for ${name}`)
      const location =
        page.status === 200
          ? (await session.submit(page.text, '/oauth/consent', { decision: 'allow' })).headers.get(
              'location',
            )
          : page.headers.get('location')
      const code = location
        ? new URL(location, 'http://own.invalid').searchParams.get('code')
        : null
      const exchange = {
        grant_type: 'authorization_code',
        code: code ?? 'none',
        redirect_uri: callback,
      }
      const { text, status } = await ask('/oauth/token', form(exchange, basic(app)), name)
      await ask('/oauth/token', form(exchange, basic(app)), `${name} again`)
      if (status !== 200) continue
      const { refresh_token, access_token } = JSON.parse(text)
      const bearer = { headers: { Authorization: `Bearer ${access_token}` } }
      for (const path of [
        '/v2/users/me',
        '/v2/users',
        '/v2/users/me/meetings',
        '/v2/marketplace/apps',
      ])
        await ask(path, bearer, name)
      await ask(
        '/v2/users/me/meetings',
        json({ topic: 'Weekly', type: 2, start_time: '2027-01-05T10:00:00Z' }, access_token),
        name,
      )
      await ask('/oauth/introspect', form({ token: access_token }, basic(app)), name)
      await ask(
        '/oauth/token',
        form({ grant_type: 'refresh_token', refresh_token }, basic(app)),
        name,
      )
      await ask(
        '/oauth/token',
        form({ grant_type: 'refresh_token', refresh_token }, basic(app)),
        `${name} again`,
      )
      await ask('/oauth/revoke', form({ token: access_token }, basic(app)), name)
    }
    for (const grant of [
      'client_credentials',
      'account_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
      'password',
    ]) {
      await ask(
        '/oauth/token',
        form(
          { grant_type: grant, account_id: applied.accounts[0]?.id ?? '', device_code: 'none' },
          basic(app),
        ),
        name,
      )
    }
    const device = await ask(
      '/oauth/devicecode',
      form({ client_id: app.clientId }, basic(app)),
      name,
    )
    if (device.status !== 200) continue
    const { user_code, device_code } = JSON.parse(device.text)
    const poll = form(
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code },
      basic(app),
    )
    await ask('/oauth/token', poll, name)
    const session = opened.get('member@acme.test') ?? openSession({ http: send })
    const entry = await (await session.get('/oauth_device')).text()
    const page = await session.submit(entry, '/oauth_device', { code: user_code })
    if (page.status === 200)
      await session.submit(await page.text(), '/oauth/device/decision', { decision: 'allow' })
    clock.advance(10_000)
    await ask('/oauth/token', poll, name)
  }
  await crawl('member@acme.test after', opened.get('member@acme.test'), ['/my/apps', '/console'])
}

/** Each route with valid, changed and random requests. */
async function fuzzRoutes() {
  const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
  const more = await declare(server, {
    apps: [generalApp('Everything', scopes, { level: 'account' })],
  })
  const app = credentialsOf(more, 'Everything')
  const session = await signIn({ http: send }, { email: 'admin@acme.test', password })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callback,
  })
  const html = await (await session.get(`/oauth/authorize?${query}`)).text()
  const back = (await session.submit(html, '/oauth/consent', { decision: 'allow' })).headers.get(
    'location',
  )
  const code = new URL(back ?? '').searchParams.get('code') ?? ''
  const tokens = await (
    await send('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callback }),
      headers: { Authorization: basic(app) },
    })
  ).json()
  const [key = ''] = keys
  const credentials: Record<RouteMetadata['auth'], string> = {
    none: `Bearer ${key}`,
    apiKey: `Bearer ${key}`,
    client: basic(app),
    accessToken: `Bearer ${tokens.access_token}`,
  }
  // A route that ends what the others need comes last.
  const ending = (route: Route) =>
    Number(
      /revoke|api-keys/.test(route.path) || (route.method === 'DELETE' && /users/.test(route.path)),
    )
  for (const [at, route] of [...routes].sort((a, b) => ending(a) - ending(b)).entries()) {
    const ids = {
      id: pick(skills, drawn)?.id ?? '',
      repoId: 'none',
      owner: 'writer-0',
      blob: { digest: `sha256:${sha256('# Notes 0\n')}`, size: 10 },
      userId: 'me',
      meetingId: '1',
      appId: 'none',
    }
    const kinds = requests(route, ids)
    for (const kind of ['valid', 'mutated', 'garbage'] as const) {
      for (const parts of fc.sample<Parts>(kinds[kind], { seed: seed + at, numRuns: 8 })) {
        const { path, init } = requestOf(
          route,
          parts,
          credentials[(route.metadata as RouteMetadata).auth],
        )
        await ask(path, init, kind)
      }
    }
  }
}
