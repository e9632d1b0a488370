import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importSkills } from '@skillpass/server/registry/import/import'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../support/cleanup.ts'
import { serverCommand } from '../../support/processes.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { encryptionKey } from '../../support/settings.ts'
import { ask, expectError, publish, unique, writeJsonl } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

const Report = z.strictObject({
  imported: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  warned: z.int(),
  refused: z.int(),
  seconds: z.number(),
  notes: z.array(
    z.strictObject({
      source: z.string(),
      kind: z.enum(['warning', 'refused']),
      rule: z.string(),
      message: z.string(),
    }),
  ),
})

/** Starts an import on the database of a server, as a process of its own. */
function start(server: TestServer, args: string[]) {
  // Vitest sets variables of its own, BASE_URL among them.
  const { PATH } = process.env
  const env = {
    PATH,
    DATABASE_URL: server.database.url,
    NODE_ENV: 'production',
    ENCRYPTION_KEY: encryptionKey,
  }
  const child = spawn(process.execPath, [serverCommand, 'import', ...args], { env })
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    printed.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed.err += chunk
  })
  const ended = new Promise<number | null>((done) => {
    child.on('close', done)
  })
  return { child, printed, ended }
}

async function run(server: TestServer, ...args: string[]) {
  const { printed, ended } = start(server, ['--json', ...args])
  const code = await ended
  expect(`${code} ${printed.out}`, printed.err).toMatch(/^[01] \{/)
  return { code, ...Report.parse(JSON.parse(printed.out)) }
}

const records = (owner: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    owner,
    repo: 'Skills.Repo',
    slug: `skill-${i}`,
    name: `Skill ${i}`,
    description: `Number ${i} of ${owner}.`,
    tags: ['imported'],
    readme: `# Skill ${i}\r\n`,
    stars: 7,
  }))

describe('import', async () => {
  const server = await startTestServer()
  const { skills } = server.client.registry
  const all = (owner: string) => skills.search({ query: { owner, limit: 50 } })
  const imported = (file: string, as: string) => importSkills(server.ctx, [file], { as })

  test('a running server shows the skills within a second, under their upstream names', async () => {
    const owner = unique('Up.Stream')
    const report = await run(server, await writeJsonl(records(owner, 3)))
    expect(report).toMatchObject({ code: 0, imported: 3, updated: 0, unchanged: 0, refused: 0 })
    await eventually(async () => expect((await all(owner)).total).toBe(3))
    const { data } = await all(owner.toLowerCase())
    expect(data[0]).toMatchObject({
      repo: { owner, name: 'Skills.Repo', starCount: 7 },
      owner: { username: 'importer' },
      tags: ['imported'],
    })
    for (const path of [`/${owner}/Skills.Repo/skill-1`, `/${owner}/SKILLS.REPO/SKILL-1`]) {
      expect(await (await server.http(path.toLowerCase())).text()).toBe('# Skill 1\r\n')
      expect(await (await server.http(path)).text()).toBe('# Skill 1\r\n')
    }
    expect(data[0]?.fetchUrl).toContain(`/${owner}/Skills.Repo/`)
  })

  test('running it again changes nothing; what differs is updated, as a new version if the readme', async () => {
    const owner = unique('again')
    const before = records(owner, 4)
    const file = await writeJsonl(before)
    await imported(file, 'importer')
    await eventually(async () => expect((await all(owner)).total).toBe(4))
    const first = await all(owner)
    expect(await imported(file, 'importer')).toMatchObject({
      unchanged: 4,
      imported: 0,
      updated: 0,
    })
    const changed = before.map((record, i) => ({
      ...record,
      ...(i === 0 ? { readme: 'new' } : i === 1 ? { name: 'New name' } : {}),
    }))
    const again = await imported(await writeJsonl(changed), 'importer')
    expect(again).toMatchObject({ updated: 2, unchanged: 2, imported: 0 })
    await eventually(async () => {
      const names = (await all(owner)).data.map(({ name }) => name)
      expect(names).toContain('New name')
    })
    const second = await all(owner)
    expect(second.data.map(({ id }) => id).sort()).toEqual(first.data.map(({ id }) => id).sort())
    for (const { id, slug } of second.data) {
      const { data } = await skills.get({ params: { id } })
      expect(data.version).toBe(slug === 'skill-0' ? 2 : 1)
    }
  })

  test('malformed lines stop nothing, and each is told with file, line and rule', async () => {
    const owner = unique('mixed')
    const [one, two] = records(owner, 2)
    const file = await writeJsonl([
      '{"owner": "broken',
      one ?? {},
      '',
      '[]',
      { owner, repo: 'x' },
      { owner: 'api', repo: 'x', slug: 'x' },
      { owner: '../up', repo: 'x', slug: 'x' },
      two ?? {},
    ])
    const report = await run(server, file)
    expect(report).toMatchObject({ code: 0, imported: 2, refused: 5 })
    const refused = report.notes.filter(({ kind }) => kind === 'refused')
    expect(refused.map(({ source }) => source).sort()).toEqual(
      [1, 4, 5, 6, 7].map((line) => `${file}:${line}`),
    )
    expect(refused.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['bad-json', 'no-slug', 'reserved-owner', 'bad-owner']),
    )
  })

  test('what another agent owns is refused: its name, and its repository', async () => {
    const agent = await server.agent('held')
    const mine = await publish(agent, { slug: 'mine', readme: 'mine' })
    const rules: string[] = []
    const onNote = ({ rule, kind }: { rule: string; kind: string }) => {
      if (kind === 'refused') rules.push(rule)
    }
    const foreign = [
      { owner: agent.username.toUpperCase(), repo: 'skills', slug: 'mine', readme: 'theirs' },
      { owner: agent.username, repo: 'other', slug: 'new', readme: 'theirs' },
    ]
    const file = await writeJsonl(foreign)
    const summary = await importSkills(server.ctx, [file], { as: 'importer', onNote })
    expect(summary).toMatchObject({ imported: 0, updated: 0, refused: 2 })
    expect(rules).toEqual(['foreign-owner', 'foreign-owner'])
    expect((await skills.get({ params: { id: mine.id } })).data.readme).toBe('mine')

    const owner = unique('theirs')
    const same = await writeJsonl(records(owner, 1))
    await imported(same, 'importer')
    expect(await imported(same, 'someone-else')).toMatchObject({ imported: 0, refused: 1 })
    await expectError(
      ask(server, 'POST', '/api/v1/agents/register', { body: { username: owner } }),
      'CONFLICT',
    )
    await expect(imported(await writeJsonl([{ ...foreign[1] }]), agent.username)).rejects.toThrow(
      'registered by API',
    )
  })

  test('every skill of a large import reaches a running server, gaps in its batches or not', async () => {
    const owner = unique('large')
    const lines = records(owner, 1300).flatMap((record, i) =>
      i % 90 === 3 ? ['{', record] : [record],
    )
    const folder = await temporaryFolder()
    const file = join(folder, 'skills.jsonl.gz')
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    await writeFile(file, gzipSync(`${text.join('\n')}\n`))
    // Another process's write, as this server learns of it: all in one look.
    const summary = await imported(file, 'importer')
    expect(summary).toMatchObject({ imported: 1300, refused: 15 })
    await eventually(async () => expect((await all(owner)).total).toBe(1300))
  })

  test('folders of SKILL.md keep every file byte for byte', async () => {
    const [folder, owner] = [await temporaryFolder(), unique('folder')]
    const text = '\ufeff---\r\nname: pdf-forms\r\ndescription: Fills forms.\r\n---\r\n# Fill  \r\n'
    await mkdir(join(folder, 'deep', 'pdf-forms'), { recursive: true })
    await writeFile(join(folder, 'deep', 'pdf-forms', 'SKILL.md'), text)
    const options = { owner, repo: 'tools', as: 'team' }
    expect(await importSkills(server.ctx, [folder], options)).toMatchObject({ imported: 1 })
    await eventually(async () => expect((await all(owner)).total).toBe(1))
    const { data } = await all(owner)
    expect(data[0]).toMatchObject({ slug: 'pdf-forms', description: 'Fills forms.' })
    const response = await server.http(`/${owner}/tools/pdf-forms`)
    const digest = createHash('sha256').update(text).digest('hex')
    expect(response.headers.get('etag')).toBe(`"sha256:${digest}"`)
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(text))).toBe(true)
  })

  test('what brings no skill at all ends with 1', async () => {
    expect(await run(server, '/no/such/file.jsonl')).toMatchObject({ code: 1, refused: 1 })
  })

  test('killed half-way it is simply started again: whole skills, none twice', async () => {
    const owner = unique('killed')
    const file = await writeJsonl(records(owner, 2000))
    const { child, ended } = start(server, [file])
    await eventually(async () => {
      const total = (await all(owner)).total
      expect(total).toBeGreaterThan(0)
    })
    child.kill('SIGKILL')
    await ended
    const rows = () =>
      server.ctx.db.read
        .selectFrom('skills')
        .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
        .innerJoin('skill_versions', 'skill_versions.skill_id', 'skills.id')
        .select('skills.slug')
        .where('repositories.owner', '=', owner)
        .execute()
    const before = (await rows()).length
    expect(before % 100).toBe(0)
    const report = await run(server, file)
    expect(report).toMatchObject({ code: 0, imported: 2000 - before, unchanged: before })
    expect(new Set((await rows()).map(({ slug }) => slug)).size).toBe(2000)
    await eventually(async () => expect((await all(owner)).total).toBe(2000))
  })
})
