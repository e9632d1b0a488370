import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../support/bundles.ts'
import { runSkillpass } from '../../support/commands.ts'
import { makeProject, treeOf } from './project.ts'
import {
  address,
  manifestOf,
  missing,
  type StubResponse,
  type StubVersion,
  startRegistry,
} from './registry.ts'

const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }
const script = { path: 'scripts/fill.sh', text: '#!/bin/sh\n', executable: true }
const notes = { path: 'references/notes.md', text: '# Notes\n' }
const first: StubVersion = { files: [readme, script, notes] }
const second: StubVersion = { files: [readme, { ...script, text: '#!/bin/sh\necho 2\n' }] }

const installed = ['0644 SKILL.md', '0644 references/notes.md', '0755 scripts/fill.sh']

/** Creates a project with the installed skill, and its registry. */
async function installedProject(
  versions: StubVersion[] = [first],
  answer?: (url: string) => StubResponse | undefined,
) {
  const registry = await startRegistry(versions, answer)
  const project = await makeProject(registry.url)
  expect(await project.run('add', address)).toMatchObject({ code: 0, err: '' })
  return { registry, ...project }
}

const skill = '.agents/skills/forms'

test('add writes the folder with its bytes and modes, and the lock', async () => {
  const { run, registry, tree, read, lock } = await installedProject()
  expect(await tree(skill)).toEqual(installed)
  expect(await read(`${skill}/scripts/fill.sh`)).toBe(script.text)
  expect(await lock()).toEqual({
    lockfileVersion: 1,
    skills: {
      forms: {
        address,
        registry: registry.url,
        folders: ['.agents/skills'],
        version: 1,
        digest: manifestOf(1, first.files).digest,
        files: {
          'SKILL.md': `sha256:${sha256(readme.text)} ${readme.text.length} 0644`,
          'references/notes.md': `sha256:${sha256(notes.text)} 8 0644`,
          'scripts/fill.sh': `sha256:${sha256(script.text)} 10 0755`,
        },
      },
    },
  })
  expect(await tree()).toEqual(
    [...installed.map((line) => line.replace(' ', ` ${skill}/`)), '0644 skillpass.lock'].sort(),
  )
  expect((await run('add', address)).out).toContain('Already installed: acme/skills/forms')
})

test('add also writes .claude/skills if the project has a .claude folder', async () => {
  const { url } = await startRegistry([first])
  const { run, path, tree, lock } = await makeProject(url)
  await mkdir(path('.claude'))
  const { out } = await run('add', address, '--json')
  const folders = ['.agents/skills/forms', '.claude/skills/forms']
  expect(JSON.parse(out)).toMatchObject({ version: 1, folders, files: 3, changed: true })
  for (const folder of folders) expect(await tree(folder)).toEqual(installed)
  expect((await lock()).skills.forms.folders).toEqual(['.agents/skills', '.claude/skills'])
})

test('add accepts a version, a folder, and the URL of a skill', async () => {
  const { url } = await startRegistry([first, second])
  const { succeed, tree, lock } = await makeProject('http://nowhere.test')
  await succeed('add', `${url}/${address}@1`, '--to', 'my/skills')
  expect(await tree('my/skills/forms')).toEqual(installed)
  const { forms } = (await lock()).skills
  expect(forms).toMatchObject({ version: 1, registry: url, folders: ['my/skills'] })
})

test('add installs a skill with a warning only with --allow-warnings or after a yes', async () => {
  const { url } = await startRegistry([first], (path) =>
    path.includes('format=md')
      ? {
          headers: {
            'skillpass-id': 'made-1',
            'skillpass-version': '1',
            'skillpass-verdict': 'warning; pipe-to-shell',
          },
        }
      : undefined,
  )
  const { cwd, env, fail, succeed, tree } = await makeProject(url)
  expect(await fail('add', address)).toContain('use --allow-warnings')
  const questions: string[] = []
  const answer = (isYes: boolean) => async (question: string) => {
    questions.push(question)
    return isYes
  }
  const options = { env, cwd }
  expect(await runSkillpass(['add', address], { ...options, ask: answer(false) })).toMatchObject({
    code: 1,
  })
  expect(await tree()).toEqual([])
  expect(await runSkillpass(['add', address], { ...options, ask: answer(true) })).toMatchObject({
    code: 0,
  })
  expect(questions).toEqual(Array(2).fill(`Install ${address} anyway?`))
  await succeed('add', address)
  await succeed('remove', 'forms')
  await succeed('add', address, '--allow-warnings')
  expect(await tree(skill)).toEqual(installed)
})

test.each(['../elsewhere', '/tmp', '.git/hooks'])('add refuses the folder %s', async (to) => {
  const registry = await startRegistry([first])
  const { run, tree } = await makeProject(registry.url)
  expect(await run('add', address, '--to', to)).toMatchObject({ code: 2 })
  expect({ requests: registry.requests, tree: await tree() }).toEqual({ requests: [], tree: [] })
})

test('add of an unknown skill fails, and keeps the installed one of that name', async () => {
  const { fail, lock } = await installedProject()
  expect(await fail('add', 'other/skills/forms')).toContain('other/skills/forms does not exist')
  expect((await lock()).skills.forms.address).toBe(address)
})

test('add overwrites a folder that it has not installed only with --force', async () => {
  const { url } = await startRegistry([first])
  const { run, write, read, tree } = await makeProject(url)
  await write(`${skill}/SKILL.md`, 'my own')
  const { code, err } = await run('add', address)
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${skill} exists but was not installed by skillpass`),
  })
  expect(await tree()).toEqual([`0644 ${skill}/SKILL.md`])
  expect(await read(`${skill}/SKILL.md`)).toBe('my own')
  const forced = await run('add', address, '--force')
  expect(forced).toMatchObject({ code: 0, err: expect.stringContaining('Replaced:') })
  expect(await tree(skill)).toEqual(installed)
})

test('without a lock, the commands about installed skills fail, and list prints none', async () => {
  const { run, succeed, tree } = await makeProject('http://nowhere.test')
  const commands = ['install', 'install --frozen', 'install --offline', 'verify', 'outdated']
  for (const line of [...commands, 'update', `update ${address}`, 'remove forms']) {
    const { code, out, err } = await run(...line.split(' '))
    expect({ line, code, out, err }).toEqual({
      ...{ line, code: 1, out: '' },
      err: expect.stringContaining('This folder has no skillpass.lock'),
    })
  }
  expect(await succeed('list')).toBe('No skills are installed here.\n')
  expect(await tree()).toEqual([])
})

test('every command uses the lock of a folder above, up to the root of the git repository', async () => {
  const { path, env, tree, run, registry } = await installedProject()
  await mkdir(path('packages/web/src'), { recursive: true })
  const below = async (...args: string[]) =>
    runSkillpass(args, { env, cwd: path('packages/web/src') })
  const isMissing = { code: 1, err: expect.stringContaining('no skillpass.lock') }
  expect(await below('verify')).toMatchObject(isMissing)
  await mkdir(path('.git'))
  registry.versions.push(second)
  for (const args of ['verify', 'install --frozen', 'list', 'outdated', 'update']) {
    const { code, out } = await below(...args.split(' '))
    expect({ args, code, out }).toEqual({ args, code: 0, out: expect.stringContaining('forms') })
  }
  expect(await below('add', address, '--to', '../skills')).toMatchObject({ code: 0 })
  expect(await tree('packages')).toEqual(
    ['0644 SKILL.md', '0755 scripts/fill.sh']
      .map((line) => line.replace(' ', ' web/skills/forms/'))
      .concat('empty web/src/'),
  )
  expect(await below('remove', 'forms')).toMatchObject({ code: 0 })
  expect(await run('list')).toMatchObject({ out: 'No skills are installed here.\n' })
  // The root of another repository ends the search.
  await mkdir(path('packages/web/.git'))
  expect(await below('verify')).toMatchObject(isMissing)
})

test.each(['forms', address, address.toUpperCase(), 'URL'])(
  'commands accept a skill of the lock as %s',
  async (text) => {
    const { run, succeed, registry, lock } = await installedProject()
    const named = text === 'URL' ? `${registry.url}/${address}` : text
    registry.versions.push(second)
    expect(await succeed('update', named, '--dry-run')).toContain('Would update forms')
    if (text !== address.toUpperCase()) {
      expect(await succeed('add', named)).toContain('version 2')
      await run('verify', named)
      expect(registry.requests.at(-1)).toContain(`/${address}?format=md`)
    }
    expect(await succeed('remove', named)).toBe(`Removed forms: ${skill}\n`)
    expect((await lock()).skills).toEqual({})
  },
)

test.each(['forms', address, 'URL', 'URL.md'])(
  'update and remove accept %s with a version',
  async (text) => {
    const { succeed, fail, registry, lock } = await installedProject()
    const [, ending] = text.split('URL')
    const named = ending === undefined ? text : `${registry.url}/${address}${ending}`
    registry.versions.push(second, first)
    expect(await succeed('update', `${named}@1`)).toBe('Everything is up to date.\n')
    expect(await succeed('update', `${named}@2`)).toContain('version 2')
    expect((await lock()).skills.forms.version).toBe(2)
    expect(await fail('update', `${named}@1`)).toContain(`skillpass add ${address}@1`)
    expect(await fail('remove', `${named}@1`)).toContain('has version 2 of forms')
    expect(await succeed('remove', `${named}@2`)).toBe(`Removed forms: ${skill}\n`)
    if (ending === undefined) return
    expect(await succeed('add', named)).toContain('version 3')
    expect(await succeed('update', named)).toBe('Everything is up to date.\n')
  },
)

test('update and remove suggest the skill of the lock that a misspelled one resembles', async () => {
  const { fail, run } = await installedProject()
  for (const command of ['update', 'remove']) {
    expect(await fail(command, 'form')).toContain('no skill "form". Did you mean forms?')
    expect(await fail(command, 'acme/skill/forms')).toContain(`Did you mean ${address}?`)
    expect(await fail(command, `http://other.test/${address}`)).toContain('no skill')
  }
  const { code, err } = await run('fetch', 'form')
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Did you mean forms?') })
})

test.each(['.agents', '.agents/skills'])('add refuses an outside link at %s', async (link) => {
  const { url } = await startRegistry([first])
  const { fail, root, path } = await makeProject(url)
  const outside = join(root, 'outside')
  await mkdir(outside)
  await mkdir(join(path(link), '..'), { recursive: true })
  await symlink(outside, path(link))
  const err = await fail('add', address, '--force')
  expect(err).toContain(`${link} is a symbolic link to ${outside}, outside the project`)
  expect(await treeOf(outside)).toEqual([])
})

test('add keeps the symbolic links that "npx skills" has made', async () => {
  const { url } = await startRegistry([first])
  const { succeed, path, tree } = await makeProject(url)
  await mkdir(path('.claude/skills'), { recursive: true })
  await symlink('../../.agents/skills/forms', path('.claude/skills/forms'))
  await succeed('add', address)
  expect(await tree('.claude')).toEqual(['link skills/forms'])
  await succeed('verify')
  await succeed('remove', 'forms')
  expect(await tree()).toEqual([
    '0644 skillpass.lock',
    'empty .agents/skills/',
    'empty .claude/skills/',
  ])
})

test('verify reports a symbolic link in the place of a file', async () => {
  const { succeed, fail, path, tree } = await installedProject()
  await rm(path(skill, notes.path))
  await symlink('/etc/passwd', path(skill, notes.path))
  expect(await fail('verify')).toContain(`${skill}/references/notes.md is not a regular file`)
  await succeed('install', '--force')
  expect(await tree(skill)).toEqual(installed)
})

/** Local changes and how they are reported. */
const localChanges: [string, (folder: string) => Promise<unknown>, string][] = [
  [
    'changed content',
    (folder) => writeFile(join(folder, 'SKILL.md'), 'mine'),
    `SKILL.md is changed: sha256:${sha256('mine')} instead of sha256:${sha256(readme.text)}`,
  ],
  [
    'a missing file',
    (folder) => rm(join(folder, notes.path)),
    `notes.md is missing (sha256:${sha256(notes.text)})`,
  ],
  [
    'an extra file',
    (folder) => writeFile(join(folder, 'mine.md'), ''),
    'mine.md is not part of the skill',
  ],
  [
    'another mode',
    (folder) => chmod(join(folder, script.path), 0o644),
    `fill.sh has a changed executable bit (sha256:${sha256(script.text)})`,
  ],
]

test.each(localChanges)('commands fail on %s, and --force mends it', async (_, change, line) => {
  const { run, succeed, fail, path, tree, registry } = await installedProject()
  await change(path(skill))
  const before = await tree()
  for (const args of [['verify'], ['verify', '--offline']]) {
    expect(await run(...args)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/This project differs from skillpass.lock:/),
    })
    expect(await fail(...args)).toContain(line)
  }
  const checked = await run('verify', '--json')
  expect(JSON.parse(checked.out)).toMatchObject({
    ok: false,
    skills: [{ problems: [expect.stringContaining(line)] }],
  })
  registry.versions.push(second)
  // An executable bit is corrected without --force, since no content is lost.
  const isLoss = !line.includes('executable')
  if (isLoss) {
    for (const args of [['install', '--frozen'], ['update'], ['remove', 'forms']]) {
      expect(await fail(...args)).toContain(line)
    }
    expect(await tree()).toEqual(before)
  }
  expect(await succeed('list')).toContain(`${skill}: changed`)
  const forced = await run('install', '--frozen', '--force')
  expect(forced).toMatchObject({ code: 0, err: isLoss ? expect.stringContaining(line) : '' })
  expect(await tree(skill)).toEqual(installed)
  expect(await run('verify')).toMatchObject({ code: 0, err: '' })
})

test('install, update and remove ignore generated files, and verify lists them', async () => {
  const { succeed, fail, registry, write, path, tree } = await installedProject()
  const junk = ['scripts/__pycache__/a.pyc', 'node_modules/x/y.js', '.DS_Store']
  for (const file of junk) await write(`${skill}/${file}`, 'x')
  await mkdir(path(skill, 'out/empty'), { recursive: true })
  const before = await tree(skill)
  for (const args of [
    ['install', '--frozen'],
    ['add', address],
  ])
    await succeed(...args)
  expect(await succeed('list')).toBe(`forms  ${address}, version 1\n    ${skill}\n`)
  expect(await tree(skill)).toEqual(before)
  const err = await fail('verify')
  for (const line of ['scripts/__pycache__/', 'node_modules/', '.DS_Store', 'out/empty/']) {
    expect(err).toContain(`${skill}/${line} is not part of the skill (generated by a tool)`)
  }
  registry.versions.push(second)
  await succeed('update')
  expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
  for (const file of junk) await write(`${skill}/${file}`, 'x')
  await succeed('remove', 'forms')
  expect(await tree()).toEqual(['0644 skillpass.lock', 'empty .agents/skills/'])
})

test('no command rewrites a lock whose content is current, whatever its formatting', async () => {
  const { succeed, read, write, path, tree, lock } = await installedProject()
  const text = JSON.stringify(await lock())
  await write('skillpass.lock', text)
  await rm(path('.agents'), { recursive: true })
  for (const args of [['install', '--frozen'], ['install'], ['update'], ['add', address]]) {
    await succeed(...args)
  }
  expect(await read('skillpass.lock')).toBe(text)
  expect(await tree(skill)).toEqual(installed)
})

test('install restores a missing folder, with --offline without a request', async () => {
  const { succeed, fail, path, tree, registry } = await installedProject()
  await rm(path('.agents'), { recursive: true })
  expect(await fail('verify')).toContain(`${skill} is missing (sha256:`)
  expect(await succeed('list')).toContain(`${skill}: missing`)
  const { length } = registry.requests
  await succeed('install', '--frozen', '--offline')
  expect(registry.requests).toHaveLength(length)
  expect(await tree(skill)).toEqual(installed)
})

test('add adopts a folder with the same content, and corrects its modes', async () => {
  const { succeed, path, tree } = await installedProject()
  await rm(path('skillpass.lock'))
  await chmod(path(skill, script.path), 0o644)
  await succeed('add', address)
  expect(await tree(skill)).toEqual(installed)
})

const gone: StubResponse = {
  status: 451,
  body: { error: { code: 'UNAVAILABLE_FOR_LEGAL_REASONS', message: 'No.' } },
}

test.each<[string, (url: string) => StubResponse | undefined, string]>([
  [
    'a withdrawn version',
    (url) => (url.includes('version=1') ? missing() : undefined),
    `${address}, version 1, does not exist`,
  ],
  ['a skill that is gone', () => gone, `${address}, version 1, was withdrawn`],
])('install and verify fail for %s, even with its files cached', async (_, answer, message) => {
  let isOver = false
  const { run, fail, path, tree } = await installedProject([first, second], (url) =>
    isOver ? answer(url) : undefined,
  )
  await run('add', `${address}@1`)
  isOver = true
  await rm(path('.agents'), { recursive: true })
  for (const args of [['install', '--frozen'], ['install'], ['verify']]) {
    expect(await fail(...args)).toContain(message)
  }
  expect(await tree()).toEqual(['0644 skillpass.lock'])
})

test('install and verify name file and digest if a version has other content than before', async () => {
  const { fail, path, tree, registry } = await installedProject()
  const [, ...rest] = first.files
  registry.versions[0] = { files: [{ ...readme, text: 'other' }, ...rest] }
  await rm(path('.agents'), { recursive: true })
  const other = manifestOf(1, registry.versions[0].files).digest
  for (const args of [['install', '--frozen'], ['verify']]) {
    const err = await fail(...args)
    expect(err).toContain(`has the digest ${other}`)
    expect(err).toContain(
      `SKILL.md is sha256:${sha256('other')} 5 0644 instead of sha256:${sha256(readme.text)}`,
    )
  }
  expect(await tree()).toEqual(['0644 skillpass.lock'])
})

test('commands name an unavailable registry, and install uses the cache for all files or fails', async () => {
  const { run, fail, path, tree, cache, registry } = await installedProject()
  registry.stop()
  await rm(path('.agents'), { recursive: true })
  const commands = [['verify'], ['outdated'], ['update'], ['add', address]]
  const err = expect.stringContaining(`Could not reach ${registry.url}`)
  for (const ended of await Promise.all(commands.map((args) => run(...args)))) {
    expect(ended).toMatchObject({ code: 1, err })
  }
  expect(await run('install', '--frozen')).toMatchObject({
    code: 0,
    err: expect.stringContaining('Using the cache'),
  })
  expect(await tree(skill)).toEqual(installed)
  expect(await fail('verify')).toContain('This project could not be verified:')
  expect(await run('verify', '--offline')).toMatchObject({ code: 0, err: '' })
  await rm(path('.agents'), { recursive: true })
  const hex = sha256(notes.text)
  await rm(join(cache, 'sha256', hex.slice(0, 2), hex))
  expect(await fail('install')).toContain('Could not reach')
  expect(await fail('install', '--offline')).toContain(
    `references/notes.md (sha256:${hex}) is not in the cache`,
  )
  expect(await tree()).toEqual(['0644 skillpass.lock'])
})

test('install names each skill that it could not check, and never another', async () => {
  const { run, lock, write, registry } = await installedProject()
  const { forms } = (await lock()).skills
  const skills = { forms, other: { ...forms, address: 'acme/skills/other' } }
  await write('skillpass.lock', JSON.stringify({ lockfileVersion: 1, skills }))
  registry.stop()
  const { code, err } = await run('install')
  const lines = err.trim().split('\n')
  expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 2 })
  expect(lines[0]).toContain('acme/skills/forms, version 1, could not be checked')
  expect(lines[1]).toContain('acme/skills/other, version 1, could not be checked')
  expect(lines[1]).not.toContain('acme/skills/forms')
})

test('with --json, stderr of a failure has only the error, which contains the notes', async () => {
  const { run, path, cache, registry } = await installedProject()
  registry.stop()
  await rm(path('.agents'), { recursive: true })
  await rm(cache, { recursive: true })
  const { code, out, err } = await run('install', '--json')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(JSON.parse(err).error).toMatchObject({
    message: expect.stringContaining('Could not reach'),
    notes: [expect.stringContaining('Using the cache.')],
  })
})

test('install detects a damaged file in the cache', async () => {
  const { succeed, fail, path, cache, tree } = await installedProject()
  await rm(path('.agents'), { recursive: true })
  const hex = sha256(notes.text)
  await writeFile(join(cache, 'sha256', hex.slice(0, 2), hex), 'meddled with')
  expect(await fail('install', '--offline')).toContain(hex)
  await succeed('install')
  expect(await tree(skill)).toEqual(installed)
})

test('update replaces the former version, and removes the files that the new one lacks', async () => {
  const { succeed, registry, tree, read, lock } = await installedProject()
  expect(await succeed('outdated')).toBe('Everything is up to date.\n')
  expect(await succeed('update')).toBe('Everything is up to date.\n')
  registry.versions.push(second)
  expect(await succeed('outdated')).toBe(`forms  1 → 2  ${address}\n`)
  expect(JSON.parse(await succeed('outdated', '--json'))).toEqual([
    { name: 'forms', address, version: 1, current: 2 },
  ])
  const before = await tree()
  expect(await succeed('update', '--dry-run')).toBe(
    `Would update forms (${address}) from version 1 to 2\n`,
  )
  expect(await tree()).toEqual(before)
  await succeed('update', 'forms')
  expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
  expect(await read(`${skill}/scripts/fill.sh`)).toContain('echo 2')
  expect((await lock()).skills.forms.version).toBe(2)
  expect(await succeed('list')).toBe(`forms  ${address}, version 2\n    ${skill}\n`)
  expect(await succeed('verify')).toContain('2 files as locked')
})

test('update refuses a version older than the installed one, add installs it', async () => {
  const { succeed, fail, registry, lock } = await installedProject([first, second])
  registry.versions.pop()
  expect(await fail('update')).toContain('older than version 2')
  expect((await lock()).skills.forms.version).toBe(2)
  await succeed('add', address)
  expect((await lock()).skills.forms.version).toBe(1)
})

test('remove deletes the folder and the entry of the lock, and names an unknown skill', async () => {
  const { succeed, fail, tree, lock } = await installedProject()
  expect(await fail('remove', 'other')).toContain('"other"')
  expect(await fail('update', 'other')).toContain('"other"')
  expect(await succeed('remove', 'forms')).toBe(`Removed forms: ${skill}\n`)
  expect(await tree()).toEqual(['0644 skillpass.lock', 'empty .agents/skills/'])
  expect((await lock()).skills).toEqual({})
  expect(await succeed('list')).toBe('No skills are installed here.\n')
  expect(await succeed('install')).toBe('skillpass.lock has no skills.\n')
})

test('install completes a lock entry without a version, except with --frozen and --offline', async () => {
  const { url } = await startRegistry([first])
  const { succeed, fail, write, tree, lock } = await makeProject(url)
  const skills = { forms: { address, registry: url } }
  await write('skillpass.lock', JSON.stringify({ lockfileVersion: 1, skills }))
  for (const args of [['install', '--frozen'], ['install', '--offline'], ['verify']]) {
    expect(await fail(...args)).toContain('no version of forms')
  }
  await succeed('install')
  expect(await tree(skill)).toEqual(installed)
  expect((await lock()).skills.forms.version).toBe(1)
})

test.each<[string, (path: string) => Promise<unknown>, string]>([
  ['a broken symbolic link', (path) => symlink('nowhere', path), 'is a broken symbolic link'],
  ['a link to itself', (path) => symlink(path, path), 'it is a symbolic link to itself'],
  ['a folder', (path) => mkdir(path), 'is not a file'],
  ['a link to a folder', (path) => symlink('.', path), 'is not a file'],
  ['a link to a device', (path) => symlink('/dev/null', path), 'is not a file'],
])('every command fails if skillpass.lock is %s', async (_, make, message) => {
  const registry = await startRegistry([first])
  const { fail, path } = await makeProject(registry.url)
  await make(path('skillpass.lock'))
  const commands = ['install', 'install --frozen', 'install --offline', 'verify', 'list']
  for (const line of [...commands, 'outdated', 'update', 'remove forms', `add ${address}`]) {
    expect(await fail(...line.split(' '))).toContain(message)
  }
  expect(registry.requests).toEqual([])
})

const lockOf = (registry: string, content: object) => {
  const entry = { address, registry, folders: ['.agents/skills'] }
  const entries = Object.entries(content).map(([name, fields]) => [name, { ...entry, ...fields }])
  return JSON.stringify({ lockfileVersion: 1, skills: Object.fromEntries(entries) })
}
const digest = manifestOf(1, first.files).digest
const line = `sha256:${'0'.repeat(64)} 1 0644`
const withFiles = (files: object) => ({ x: { version: 1, digest, files } })
test.each<[string, object | string, string]>([
  ['a name out of the folder', { '../x': {} }, '../x cannot be the name of a skill'],
  ['a folder out of the project', { x: { folders: ['../y'] } }, 'has the folder "../y"'],
  ['a folder in .git', { x: { folders: ['.git/hooks'] } }, 'has the folder ".git/hooks"'],
  ['an invalid address', { x: { address: '../../x' } }, 'has no address'],
  ['an invalid registry', { x: { registry: 'file:///etc' } }, 'has no registry'],
  ['a path out of the skill', withFiles({ '../x': line }), 'has the path "../x"'],
  ['a file without a digest', withFiles({ a: 'x' }), 'has the path "a"'],
  ['a changed digest', withFiles({ 'SKILL.md': line }), `instead of ${digest}`],
  ['a merge conflict', '{\n<<<<<<< ours\n', 'merge conflict markers'],
  ['invalid JSON', '{', 'is not JSON'],
  ['no text', '', 'is not JSON'],
  ['a list of skills', '{"lockfileVersion":1,"skills":[]}', 'has no object "skills"'],
  ['no skills', '{"lockfileVersion":1}', 'has no object "skills"'],
  ['an unknown lockfileVersion', '{"lockfileVersion":9}', 'has version 9'],
])('a lock with %s is rejected, and nothing is sent or written', async (_, content, message) => {
  const registry = await startRegistry([first])
  const { fail, write, tree } = await makeProject(registry.url)
  await write(
    'skillpass.lock',
    typeof content === 'string' ? content : lockOf(registry.url, content),
  )
  for (const args of [['install'], ['verify'], ['list'], ['remove', 'x'], ['add', address]]) {
    expect(await fail(...args)).toContain(message)
  }
  expect(registry.requests).toEqual([])
  expect(await tree()).toEqual(['0644 skillpass.lock'])
})
