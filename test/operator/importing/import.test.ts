import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../../support/cleanup.ts'
import { operate } from '../../support/commands.ts'
import { importSkills } from '../../support/importing.ts'
import { idsOf, recordsOf } from '../../support/registry-calls.ts'
import { startTestServer } from '../../support/server.ts'
import { publish, unique, writeJsonl } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

const server = await startTestServer()
const { skills } = server.client.registry
const all = (owner: string) => skills.search({ query: { owner, limit: 50 } })
const untilThere = (owner: string, count: number) =>
  eventually(async () => expect((await all(owner)).total).toBe(count))
test('a running server shows imported skills under their upstream names', async () => {
  const owner = unique('Up.Stream')
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    'forms/SKILL.md': '---\nname: forms\ndescription: F.\n---\n',
    'forms/fill.py': 'print(1)\n',
  })
  const file = await writeJsonl(recordsOf(owner, 3))
  const report = await importSkills(server, file, folder, '--owner', owner, '--repo', 'tools')
  expect(report).toMatchObject({ imported: 4, updated: 0, unchanged: 0, refused: 0 })
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
  const file = '/no/such/file.jsonl'
  expect(await importSkills(server, file)).toMatchObject({ refused: 1 })
  expect((await operate(server.database, 'import', file)).code).toBe(1)
})

test('a repeated import writes only differences, and only a new readme makes a version', async () => {
  const owner = unique('again')
  const before = recordsOf(owner, 4)
  const file = await writeJsonl(before)
  await importSkills(server, file)
  await untilThere(owner, 4)
  const first = await all(owner)
  const unchanged = await importSkills(server, file)
  expect(unchanged).toMatchObject({ unchanged: 4, imported: 0, updated: 0 })
  const changed = before.map((record, i) => ({
    ...record,
    ...(i === 0 ? { readme: 'new' } : i === 1 ? { name: 'New name' } : {}),
  }))
  const again = await importSkills(server, await writeJsonl(changed))
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
  const foreign = [
    { owner: agent.username.toUpperCase(), repo: 'skills', slug: 'mine', readme: 'theirs' },
    { owner: agent.username, repo: 'other', slug: 'new', readme: 'theirs' },
  ]
  const note = { kind: 'refused', rule: 'foreign-owner' }
  expect(await importSkills(server, await writeJsonl(foreign))).toMatchObject({
    ...{ imported: 0, updated: 0, refused: 2 },
    notes: [note, note],
  })
  expect((await skills.get({ params: { id: mine.id } })).data.readme).toBe('mine')

  const owner = unique('theirs')
  const same = await writeJsonl(recordsOf(owner, 1))
  await importSkills(server, same)
  expect(await importSkills(server, same, '--as', 'someone-else')).toMatchObject({
    ...{ imported: 0, refused: 1 },
  })
})

test('a repeated import completes one that was interrupted between two batches', async () => {
  const owner = unique('interrupted')
  const file = await writeJsonl(recordsOf(owner, 250))
  // The progress is written after each batch.
  const write = () => {
    throw new Error('interrupted')
  }
  const stderr = { isTTY: true, write }
  const interrupted = operate({ ...server.database, stderr }, 'import', file)
  await expect(interrupted).rejects.toThrow('interrupted')
  await untilThere(owner, 100)
  expect(await importSkills(server, file)).toMatchObject({ imported: 150, unchanged: 100 })
  await untilThere(owner, 250)
})

test('the page of an imported skill links its source without credentials, and shows its license', async () => {
  const owner = unique('sourced')
  const folder = await temporaryFolder()
  const readme = '---\nname: local\ndescription: L.\nlicense: MIT License\n---\n'
  await writeFiles(folder, {
    '.git/config': `[remote "origin"]\n\turl = https://me:secret@git.test:8443/${owner}/local.git\n`,
    'local/SKILL.md': readme,
  })
  const [first, second, third, fourth, fifth] = recordsOf(owner, 5)
  const file = await writeJsonl([
    { ...first, commit: 'abc123', path: 'a b/SKILL.md', license: 'Apache License 2.0' },
    { ...second, source: 'https://code.test/x?y=1&z=2', license: 'Proprietary. See LICENSE.' },
    { ...third, source: 'javascript:alert(1)', commit: 'not hex', path: 'x' },
    { ...fourth, source: 'https://code.test/%ff/\u202egpj' },
    { ...fifth, source: 'https://me:secret@code.test/x' },
  ])
  await importSkills(server, file, folder)
  await untilThere(owner, 6)
  const pageOf = async (path: string) =>
    (await server.http(`/${owner}/${path}`, { headers: { accept: 'text/html' } })).text()
  const local = await pageOf('local/local')
  expect(local).toContain(`<a href="https://git.test/${owner}/local" rel="nofollow noopener ugc">`)
  expect(local).toContain('<li>MIT</li>')
  expect(local).not.toContain('secret')
  const [one = '', two = '', three = '', four = '', five = ''] = await Promise.all(
    [0, 1, 2, 3, 4].map((number) => pageOf(`Skills.Repo/skill-${number}`)),
  )
  const repo = `https://github.com/${owner}/Skills.Repo`
  expect(one).toContain(`href="${repo}/blob/abc123/a%20b/SKILL.md"`)
  expect(one).toContain('<li>Apache-2.0</li>')
  expect(two).toContain('href="https://code.test/x?y=1&amp;z=2"')
  expect(two).not.toContain('Proprietary')
  expect(three).not.toContain('<dt dir="auto">Source</dt>')
  expect(four).toContain('>code.test/%ff/‹U+202E›gpj</a>')
  expect(five).not.toContain('secret')
})
