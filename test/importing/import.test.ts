import {
  type ImportOptions,
  importSkills,
} from '@skillpass/server/internal/operator/importing/import'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { idsOf, recordsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { publish, unique, writeJsonl } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'

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

const server = await startTestServer()
const { skills } = server.client.registry
const all = (owner: string) => skills.search({ query: { owner, limit: 50 } })
const untilThere = (owner: string, count: number) =>
  eventually(async () => expect((await all(owner)).total).toBe(count))
const importFile = (file: string, options: Partial<ImportOptions> = {}) =>
  importSkills(server.ctx, [file], { as: 'importer', ...options })
/** Runs the command in a separate process. */
const run = async (...args: string[]) => {
  const { code, out, err } = await operate(server.database, 'import', '--json', ...args)
  expect(`${code} ${out}`, err).toMatch(/^[01] \{/)
  return { code, ...Report.parse(JSON.parse(out)) }
}

test('a running server shows imported skills under their upstream names', async () => {
  const owner = unique('Up.Stream')
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    'forms/SKILL.md': '---\nname: forms\ndescription: F.\n---\n',
    'forms/fill.py': 'print(1)\n',
  })
  const file = await writeJsonl(recordsOf(owner, 3))
  const report = await run(file, folder, '--owner', owner, '--repo', 'tools')
  expect(report).toMatchObject({ code: 0, imported: 4, updated: 0, unchanged: 0, refused: 0 })
  await untilThere(owner, 4)
  const { data } = await skills.search({
    query: { owner: owner.toLowerCase(), repo: 'skills.repo' },
  })
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
  const script = await server.http(`/${owner}/tools/forms/files/fill.py`)
  expect(await script.text()).toBe('print(1)\n')
})

test('an import without skills exits with status 1', async () => {
  expect(await run('/no/such/file.jsonl')).toMatchObject({ code: 1, refused: 1 })
})

test('a repeated import writes only differences, and only a new readme makes a version', async () => {
  const owner = unique('again')
  const before = recordsOf(owner, 4)
  const file = await writeJsonl(before)
  await importFile(file)
  await untilThere(owner, 4)
  const first = await all(owner)
  const unchanged = await importFile(file)
  expect(unchanged).toMatchObject({ unchanged: 4, imported: 0, updated: 0 })
  const changed = before.map((record, i) => ({
    ...record,
    ...(i === 0 ? { readme: 'new' } : i === 1 ? { name: 'New name' } : {}),
  }))
  const again = await importFile(await writeJsonl(changed))
  expect(again).toMatchObject({ updated: 2, unchanged: 2, imported: 0 })
  await eventually(async () => {
    const names = (await all(owner)).data.map(({ name }) => name)
    expect(names).toContain('New name')
  })
  const second = await all(owner)
  expect(idsOf(second.data).sort()).toEqual(idsOf(first.data).sort())
  for (const { id, slug } of second.data) {
    const { data } = await skills.get({ params: { id } })
    expect(data.version).toBe(slug === 'skill-0' ? 2 : 1)
  }
})

test('an import refuses the names and repositories of other agents', async () => {
  const agent = await server.agent('held')
  const mine = await publish(agent, { slug: 'mine', readme: 'mine' })
  const rules: string[] = []
  const foreign = [
    { owner: agent.username.toUpperCase(), repo: 'skills', slug: 'mine', readme: 'theirs' },
    { owner: agent.username, repo: 'other', slug: 'new', readme: 'theirs' },
  ]
  const summary = await importFile(await writeJsonl(foreign), {
    onNote: ({ rule, kind }) => {
      if (kind === 'refused') rules.push(rule)
    },
  })
  expect(summary).toMatchObject({ imported: 0, updated: 0, refused: 2 })
  expect(rules).toEqual(['foreign-owner', 'foreign-owner'])
  expect((await skills.get({ params: { id: mine.id } })).data.readme).toBe('mine')

  const owner = unique('theirs')
  const same = await writeJsonl(recordsOf(owner, 1))
  await importFile(same)
  expect(await importFile(same, { as: 'someone-else' })).toMatchObject({ imported: 0, refused: 1 })
})

test('a repeated import completes one that was interrupted between two batches', async () => {
  const owner = unique('interrupted')
  const file = await writeJsonl(recordsOf(owner, 250))
  const interrupted = importFile(file, {
    onProgress: () => {
      throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  await untilThere(owner, 100)
  expect(await importFile(file)).toMatchObject({ imported: 150, unchanged: 100 })
  await untilThere(owner, 250)
})
