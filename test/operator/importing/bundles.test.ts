import { chmod, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { bounds } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { sha256 } from '../../support/bundles.ts'
import { temporaryFolder, writeFiles } from '../../support/cleanup.ts'
import { importSkills } from '../../support/importing.ts'
import { startTestServer } from '../../support/server.ts'
import { addressOf, unique } from '../../support/skills.ts'
import { splitAtBars } from '../../support/words.ts'

const readme = (name: string, text = '') =>
  `---\nname: ${name}\ndescription: Fills forms. Use when a form must be filled.\n---\n# ${name}\n\nRun scripts/fill.py. ${text}\n`

const server = await startTestServer()
const { registry } = server.client

const into = (owner: string) => async (path: string) => {
  const options = ['--as', 'team', '--owner', owner, '--repo', 'tools']
  const report = await importSkills(server, path, ...options)
  const notes = report.notes.map(({ kind, rule, message }) => `${kind} ${rule}: ${message}`)
  return { ...report, notes }
}
const skillOf = async (owner: string, slug: string) => {
  const { data } = await registry.skills.search({ query: { owner } })
  const skill = data.find((one) => one.slug === slug)
  if (!skill) throw new Error(`${owner} has no ${slug}`)
  return (await registry.skills.get({ params: { id: skill.id } })).data
}
const filesOf = async ({ id }: { id: string }) => {
  const { data } = await registry.files.list({ params: { id } })
  return data.files
    .filter(({ path }) => path !== 'SKILL.md')
    .map(({ path, executable }) => (executable ? `${path}*` : path))
}
const versionIs = async (owner: string, slug: string, version: number) =>
  expect((await skillOf(owner, slug)).version).toBe(version)

test('an import stores the bytes and executable bits of a folder, and a second import changes nothing', async () => {
  const [folder, owner] = [await temporaryFolder(), unique('whole')]
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))
  await writeFiles(folder, {
    'forms/SKILL.md': readme('forms'),
    'forms/scripts/fill.py': 'print(1)\n',
    'forms/references/Größe.md': '# Größe\n',
    'forms/assets/noise.bin': noise,
    'forms/.hidden/settings.json': '{}',
    'other/skill.md': readme('other'),
    'other/scripts/fill.py': 'print(1)\n',
  })
  await chmod(join(folder, 'forms/scripts/fill.py'), 0o755)
  expect(await into(owner)(folder)).toMatchObject({ imported: 2, refused: 0 })
  await versionIs(owner, 'forms', 1)
  const skill = await skillOf(owner, 'forms')
  expect(await filesOf(skill)).toEqual([
    '.hidden/settings.json',
    'assets/noise.bin',
    'references/Größe.md',
    'scripts/fill.py*',
  ])
  expect(await filesOf(await skillOf(owner, 'other'))).toEqual(['scripts/fill.py'])
  const got = await server.http(`${addressOf(skill)}/files/assets/noise.bin`)
  expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(noise))
  expect(await into(owner)(folder)).toMatchObject({ unchanged: 2, imported: 0, updated: 0 })
})

test('only a changed, added, moved or executable file makes a version', async () => {
  const [folder, owner] = [await temporaryFolder(), unique('changed')]
  await writeFiles(folder, { 'a/SKILL.md': readme('a'), 'a/scripts/fill.py': 'print(1)\n' })
  await into(owner)(folder)
  const steps: (() => Promise<unknown>)[] = [
    () => writeFiles(folder, { 'a/scripts/fill.py': 'print(2)\n' }),
    () => writeFiles(folder, { 'a/more.md': 'See fill.\n' }),
    () => chmod(join(folder, 'a/scripts/fill.py'), 0o755),
    () => rename(join(folder, 'a/more.md'), join(folder, 'a/moved.md')),
  ]
  for (const [at, step] of steps.entries()) {
    await step()
    expect(await into(owner)(folder)).toMatchObject({ updated: 1 })
    await versionIs(owner, 'a', at + 2)
    expect(await into(owner)(folder)).toMatchObject({ unchanged: 1 })
  }
  expect(await filesOf(await skillOf(owner, 'a'))).toEqual(['moved.md', 'scripts/fill.py*'])
  const { id } = await skillOf(owner, 'a')
  const first = await registry.files.list({ params: { id }, query: { version: 1 } })
  expect(first.data.files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/fill.py'])
})

test('an import skips the files and skills that git ignores', async () => {
  const [folder, owner] = [await temporaryFolder(), unique('ignored')]
  await writeFiles(folder, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': '*.log\n/build\n!keep.log\nCase.txt\nscratch/\n',
    'a/SKILL.md': readme('a'),
    'a/.gitignore': 'out/*\n!out/kept.txt\n*.tmp\n',
    'a/scripts/fill.py': 'print(1)\n',
    'a/x.log': 'x',
    'a/keep.log': 'x',
    'a/case.txt': 'x',
    'a/Case.txt.md': 'x',
    'a/out/kept.txt': 'x',
    'a/out/lost.txt': 'x',
    'a/deep/y.tmp': 'x',
    'a/build/z.md': 'x',
    'a/scratch/z.md': 'x',
    'build/b/SKILL.md': readme('b'),
  })
  const summary = await into(owner)(folder)
  expect(summary).toMatchObject({ imported: 1, refused: 0 })
  await versionIs(owner, 'a', 1)
  // `git ls-files --others --exclude-standard a` lists the same.
  const expected = splitAtBars(
    '.gitignore¦Case.txt.md¦build/z.md¦case.txt¦keep.log¦out/kept.txt¦scripts/fill.py',
  )
  expect((await filesOf(await skillOf(owner, 'a'))).sort()).toEqual(expected)
})

test('an import follows links within the folder and refuses other links with their names', async () => {
  const [folder, owner] = [await temporaryFolder(), unique('links')]
  const outside = await temporaryFolder()
  await writeFiles(outside, { secret: 'x', 'SKILL.md': readme('outside') })
  await writeFiles(folder, {
    'good/SKILL.md': readme('good'),
    'good/scripts/fill.py': 'print(1)\n',
    'out/SKILL.md': readme('out'),
    'up/SKILL.md': readme('up'),
    'loop/SKILL.md': readme('loop'),
    'broken/SKILL.md': readme('broken'),
    'shared.md': readme('linked'),
    'linked/scripts/fill.py': 'print(1)\n',
    'stolen/notes.md': 'x',
    'void/notes.md': 'x',
  })
  await symlink(folder, join(folder, 'circle'))
  await symlink(outside, join(folder, 'outside'))
  await symlink('../shared.md', join(folder, 'linked/SKILL.md'))
  await symlink(join(outside, 'SKILL.md'), join(folder, 'stolen/SKILL.md'))
  await symlink('nowhere', join(folder, 'void/SKILL.md'))
  await symlink('scripts', join(folder, 'good/tools'))
  await symlink('scripts/fill.py', join(folder, 'good/fill'))
  await symlink(join(outside, 'secret'), join(folder, 'out/secret'))
  await symlink('../good', join(folder, 'up/other'))
  await symlink('.', join(folder, 'loop/self'))
  await symlink('nowhere', join(folder, 'broken/link'))
  const { notes, ...summary } = await into(owner)(folder)
  expect(summary).toMatchObject({ imported: 2, refused: 6 })
  expect(notes.filter((note) => note.startsWith('refused'))).toEqual([
    'refused link-broken: "link" is a broken link',
    'refused link-circle: "self" is a circular link',
    'refused link-outside: "secret" is a link to a place outside the folder',
    `refused link-outside: "${folder}/stolen/SKILL.md" is a link to a place outside the folder`,
    'refused link-outside: "other" is a link to a place outside the folder',
    `refused link-broken: "${folder}/void/SKILL.md" is a broken link`,
  ])
  await versionIs(owner, 'good', 1)
  expect(await filesOf(await skillOf(owner, 'good'))).toEqual([
    'fill',
    'scripts/fill.py',
    'tools/fill.py',
  ])
})

test('an import refuses folders beyond the limits and states the limit', async () => {
  const [folder, owner] = [await temporaryFolder(), unique('bounds')]
  const large = new Uint8Array(bounds.blobBytes)
  const many = Array.from({ length: bounds.files + 1 }, (_, at) => [`many/${at}.md`, 'x'])
  await writeFiles(folder, {
    'big/SKILL.md': readme('big'),
    'big/assets/large.bin': new Uint8Array(bounds.blobBytes + 1),
    'heavy/SKILL.md': readme('heavy'),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`heavy/${at}.bin`, large])),
    'many/SKILL.md': readme('many'),
    ...Object.fromEntries(many),
    'name/SKILL.md': readme('name'),
    'name/a:b.md': 'x',
    'twins/SKILL.md': readme('twins'),
    'twins/Notes.md': 'x',
    'twins/notes.md': 'x',
  })
  const { notes, ...summary } = await into(owner)(folder)
  expect(summary).toMatchObject({ imported: 0, refused: 5 })
  expect(notes.map((note) => note.slice(0, 60))).toEqual([
    expect.stringMatching(/^refused file-too-large: "assets\/large.bin" has 4194305 bytes/),
    expect.stringMatching(/^refused folder-too-large: the files besides the readme/),
    expect.stringMatching(/^refused too-many-files: the skill has more than 512 files/),
    expect.stringMatching(/^refused bad-path: "a:b.md" /),
    expect.stringMatching(/^refused bad-path: "(?:N|n)otes.md" /),
  ])
})
