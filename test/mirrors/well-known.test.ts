import { expect, test } from 'vitest'
import { file, publishBundle, sha256 } from '../support/bundles.ts'
import { createTestClock } from '../support/clock.ts'
import { serveHttp } from '../support/http-server.ts'
import { startTestServer } from '../support/server.ts'
import { addMirror, hour } from './mirrors.ts'

const clock = createTestClock()
const server = await startTestServer({ clock })

const markdown = (name: string, text: string) =>
  `---\nname: ${name}\ndescription: Deploys ${text}.\n---\n\n# ${text}\n`
const digestOf = (text: string | Uint8Array) => `sha256:${sha256(text)}`

type Answer = string | Buffer | { status: number; headers?: Record<string, string> }

/** Serves answers by path, with an ETag. Lists the paths that were requested. */
async function serveSite(answers: Record<string, Answer> = {}) {
  const requested: string[] = []
  const { url, stop } = await serveHttp((req, res) => {
    const answer = answers[req.url ?? ''] ?? { status: 404 }
    requested.push(req.url ?? '')
    if (typeof answer === 'object' && 'status' in answer) {
      res.writeHead(answer.status, answer.headers).end()
      return
    }
    const etag = `"${sha256(answer)}"`
    const isSame = req.headers['if-none-match'] === etag
    res.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : answer)
  })
  return { url, stop, answers, requested }
}

const path = '/.well-known/agent-skills/index.json'

/** Serves an index with one skill. */
async function serveSkill(first: string, about: object = {}) {
  const site = await serveSite()
  const put = (text: string, entry: object = {}) => {
    const skill = {
      name: 'deploy',
      type: 'skill-md',
      url: 'deploy/SKILL.md',
      digest: digestOf(text),
    }
    site.answers['/.well-known/agent-skills/deploy/SKILL.md'] = text
    site.answers[path] = JSON.stringify({ skills: [{ ...skill, ...entry }] })
  }
  put(first, about)
  return { ...site, put, index: `${site.url}${path}` }
}

test('skills of an index and their changes are published, and an unchanged index is read once', async () => {
  const text = markdown('deploy', 'one')
  const site = await serveSkill(text)
  const { follow, skills } = await addMirror(server, site.index)
  expect(await follow()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
  const repo = expect.objectContaining({ name: '127.0.0.1' })
  const shown = { slug: 'deploy', name: 'deploy', description: 'Deploys one.', readme: text, repo }
  expect(await skills()).toMatchObject([shown])
  site.requested.length = 0
  clock.advance(hour)
  await follow()
  expect(site.requested).toEqual([path])
  site.put(markdown('deploy', 'two'))
  clock.advance(hour)
  await follow()
  expect(await skills()).toMatchObject([{ version: 2, description: 'Deploys two.' }])
})

const [one, two] = [markdown('deploy', 'one'), markdown('deploy', 'two')]
type Site = Awaited<ReturnType<typeof serveSkill>>

test.each<[what: string, change: (site: Site) => void, problem: RegExp]>([
  [
    'another digest for a known version',
    ({ put }) => put(two, { version: '1.0.0' }),
    /^Version 1\.0\.0 .* but has sha256:\w+ now/,
  ],
  [
    'another digest in the index than that of the file',
    ({ put }) => put(two, { version: '2.0.0', digest: digestOf(one) }),
    /has the digest sha256:\w+, but the source names sha256:/,
  ],
  [
    'a file that is missing',
    ({ put }) => put(two, { version: '2.0.0', url: 'deploy/other.md' }),
    /returned 404/,
  ],
  [
    'an archive that is none',
    ({ put }) => put(two, { version: '2.0.0', type: 'archive' }),
    /is not a tar\.gz archive/,
  ],
  [
    'a file that is too long',
    ({ put }) => put('x'.repeat(17 * 1024 ** 2), { version: '2.0.0' }),
    /has the digest/,
  ],
  [
    'no skill any more',
    ({ answers }) => {
      answers[path] = '{"skills":[]}'
    },
    /^deploy is gone .* kept here/,
  ],
])('%s is refused and reported, and the known version stays', async (_, change, problem) => {
  const site = await serveSkill(one, { version: '1.0.0' })
  const { run, skills, reported } = await addMirror(server, site.index)
  await run()
  change(site)
  const mirror = await run()
  expect(mirror).toMatchObject({ result: '0 updated, 0 withdrawn, 1 refused' })
  expect(mirror?.problems).toEqual([expect.stringMatching(problem)])
  await run()
  expect(await reported()).toEqual(mirror?.problems)
  expect(await skills()).toMatchObject([{ version: 1, readme: one }])
  site.put(two, { version: '3.0.0' })
  expect(await run()).toMatchObject({ problems: [] })
  expect(await skills()).toMatchObject([{ version: 2, readme: two }])
})

test.each<[what: string, answer: Answer, result: RegExp]>([
  ['is no index', '<html></html>', /is not an index of skills/],
  ['fails', { status: 503 }, /returned 503/],
  ['redirects in a circle', { status: 302, headers: { location: path } }, /redirects more than 5/],
  [
    'redirects to a private address',
    { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
    /must be https/,
  ],
])('a source that %s fails the run, which changes nothing', async (_, answer, result) => {
  const site = await serveSkill(one)
  const { run, skills } = await addMirror(server, site.index)
  await run()
  site.answers[path] = answer
  expect(await run()).toMatchObject({ result: expect.stringMatching(result), problems: [] })
  expect(await skills()).toMatchObject([{ version: 1, readme: one }])
})

test('an index of the older form is followed by the contents of its files', async () => {
  const older = '/.well-known/skills'
  const answers: Record<string, Answer> = {
    [`${older}/index.json`]: JSON.stringify({
      skills: [{ name: 'deploy', description: 'x', files: ['SKILL.md', 'run.sh'] }],
    }),
    [`${older}/deploy/SKILL.md`]: one,
    [`${older}/deploy/run.sh`]: 'echo 1',
  }
  const site = await serveSite(answers)
  const { run, skills } = await addMirror(server, `${site.url}${older}/index.json`)
  expect(await run()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
  expect(await run()).toMatchObject({ result: '0 updated, 0 withdrawn, 0 refused' })
  answers[`${older}/deploy/run.sh`] = 'echo 2'
  await run()
  expect(await skills()).toMatchObject([{ version: 2, readme: one }])
})

test('archives of an index are published with their files', async () => {
  const author = await server.agent('author')
  const files = [file('scripts/run.sh', 'echo 1\n', true), file('notes/für dich.md', 'Grüße')]
  const skill = await publishBundle(author, files, {
    readme: markdown('bundle', 'all'),
    slug: 'bundle',
  })
  const { run, skills } = await addMirror(server, `${server.url}/${author.username}${path}`)
  expect(await run()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
  const [copy] = await skills()
  const filesOf = async (id = '') =>
    (await server.client.registry.files.list({ params: { id } })).data.digest
  expect(await filesOf(copy?.id)).toBe(await filesOf(skill.id))
})
