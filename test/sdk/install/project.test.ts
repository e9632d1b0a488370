import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../support/bundles.ts'
import { makeProject, treeOf } from './project.ts'
import {
  address,
  type MadeAnswer,
  type MadeVersion,
  manifestOf,
  startRegistry,
} from './registry.ts'

const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }
const script = { path: 'scripts/fill.sh', text: '#!/bin/sh\n', executable: true }
const notes = { path: 'references/notes.md', text: '# Notes\n' }
const first: MadeVersion = { files: [readme, script, notes] }
const second: MadeVersion = { files: [readme, { ...script, text: '#!/bin/sh\necho 2\n' }] }

const installed = ['0644 SKILL.md', '0644 references/notes.md', '0755 scripts/fill.sh']

/** A project in which the skill is installed, and the registry that it is from. */
async function installedProject(
  versions: MadeVersion[] = [first],
  answer?: (url: string) => MadeAnswer | undefined,
) {
  const registry = await startRegistry(versions, answer)
  const project = await makeProject(registry.url)
  expect(await project.run('add', address)).toMatchObject({ code: 0, err: '' })
  return { registry, ...project }
}

const skill = '.agents/skills/forms'

describe('skillpass add', () => {
  test('writes the folder with its bytes and modes, and the lock', async () => {
    const { registry, tree, read, lock, run } = await installedProject()
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

  test('serves Claude as well where the project has a .claude', async () => {
    const { url } = await startRegistry([first])
    const { path, run, tree, lock } = await makeProject(url)
    await mkdir(path('.claude'))
    const { out } = await run('add', address, '--json')
    const folders = ['.agents/skills/forms', '.claude/skills/forms']
    expect(JSON.parse(out)).toMatchObject({ version: 1, folders, files: 3, changed: true })
    for (const folder of folders) expect(await tree(folder)).toEqual(installed)
    expect((await lock()).skills.forms.folders).toEqual(['.agents/skills', '.claude/skills'])
  })

  test('takes a version, a folder, and the whole address of a skill', async () => {
    const { url } = await startRegistry([first, second])
    const { run, tree, lock } = await makeProject('http://nowhere.test')
    expect(await run('add', `${url}/${address}@1`, '--to', 'my/skills')).toMatchObject({ code: 0 })
    expect(await tree('my/skills/forms')).toEqual(installed)
    const { forms } = (await lock()).skills
    expect(forms).toMatchObject({ version: 1, registry: url, folders: ['my/skills'] })
  })

  test.each([
    ['out of the project', '../elsewhere'],
    ['an absolute folder', '/tmp'],
    ['version control', '.git/hooks'],
  ])('takes no folder that is not of the project: %s', async (_, to) => {
    const registry = await startRegistry([first])
    const { run, tree } = await makeProject(registry.url)
    expect(await run('add', address, '--to', to)).toMatchObject({ code: 2 })
    expect({ asked: registry.asked, tree: await tree() }).toEqual({ asked: [], tree: [] })
  })

  test('asks for the current version, which may be another skill no more', async () => {
    const { run, lock } = await installedProject()
    const { code, err } = await run('add', 'other/skills/forms')
    expect(code).toBe(1)
    expect(err).toContain('other/skills/forms is not there')
    expect((await lock()).skills.forms.address).toBe(address)
  })

  test('does not overwrite what it has not installed, unless told to', async () => {
    const { url } = await startRegistry([first])
    const { run, write, read, tree } = await makeProject(url)
    await write(`${skill}/SKILL.md`, 'my own')
    const { code, err } = await run('add', address)
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${skill} is there, and skillpass has not installed it`),
    })
    expect(await tree()).toEqual([`0644 ${skill}/SKILL.md`])
    expect(await read(`${skill}/SKILL.md`)).toBe('my own')
    const forced = await run('add', address, '--force')
    expect(forced).toMatchObject({ code: 0, err: expect.stringContaining('Replaced:') })
    expect(await tree(skill)).toEqual(installed)
  })

  test('takes over a folder that is the same already', async () => {
    const { url } = await startRegistry([first])
    const { run, write, path, tree } = await makeProject(url)
    for (const { path, text } of first.files) await write(`${skill}/${path}`, text)
    await chmod(path(skill, script.path), 0o644)
    expect(await run('add', address)).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
  })
})

describe('symbolic links', () => {
  test.each(['.agents', '.agents/skills'])('out of the project are refused: %s', async (link) => {
    const { url } = await startRegistry([first])
    const { root, path, run } = await makeProject(url)
    const outside = join(root, 'outside')
    await mkdir(outside)
    await mkdir(join(path(link), '..'), { recursive: true })
    await symlink(outside, path(link))
    const { code, err } = await run('add', address, '--force')
    expect(code).toBe(1)
    expect(err).toContain(`${link} is a symbolic link that leads out of the project, to ${outside}`)
    expect(await treeOf(outside)).toEqual([])
  })

  test('that make one folder of both are followed within the project', async () => {
    const { url } = await startRegistry([first])
    const { path, run, tree } = await makeProject(url)
    await mkdir(path('.claude'))
    await symlink('../.agents/skills', path('.claude/skills'))
    await mkdir(path('.agents/skills'), { recursive: true })
    expect(await run('add', address)).toMatchObject({ code: 0 })
    expect(await tree()).toContain('link .claude/skills')
    expect(await tree(skill)).toEqual(installed)
    expect(await run('verify')).toMatchObject({ code: 0 })
  })

  test('that "npx skills" has made for an agent stay', async () => {
    const { url } = await startRegistry([first])
    const { path, run, tree } = await makeProject(url)
    await mkdir(path('.claude/skills'), { recursive: true })
    await symlink('../../.agents/skills/forms', path('.claude/skills/forms'))
    expect(await run('add', address)).toMatchObject({ code: 0 })
    expect(await tree('.claude')).toEqual(['link skills/forms'])
    expect(await run('verify')).toMatchObject({ code: 0 })
    expect(await run('remove', 'forms')).toMatchObject({ code: 0 })
    expect(await tree()).toEqual([
      '0644 skillpass.lock',
      'empty .agents/skills/',
      'empty .claude/skills/',
    ])
  })

  test('in the place of a skill are never followed', async () => {
    const { url } = await startRegistry([first])
    const { root, path, run, tree } = await makeProject(url)
    const outside = join(root, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'SKILL.md'), 'theirs')
    await mkdir(path('.agents/skills'), { recursive: true })
    await symlink(outside, path(skill))
    const { code, err } = await run('add', address)
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('a symbolic link to'),
    })
    expect(await run('add', address, '--force')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
    expect(await treeOf(outside)).toEqual(['0644 SKILL.md'])
  })

  test('in the place of a file are differences', async () => {
    const { path, run, tree } = await installedProject()
    await rm(path(skill, notes.path))
    await symlink('/etc/passwd', path(skill, notes.path))
    const { code, err } = await run('verify')
    expect(code).toBe(1)
    expect(err).toContain(`${skill}/references/notes.md is no plain file`)
    expect(await run('install', '--force')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
  })

  test('in the place of the staging are not followed', async () => {
    const { url } = await startRegistry([first])
    const { root, path, run } = await makeProject(url)
    const outside = join(root, 'outside')
    await mkdir(join(outside, 'forms/old'), { recursive: true })
    await mkdir(path('.agents/skills'), { recursive: true })
    await symlink(outside, path('.agents/skills', `.skillpass-${process.pid}`))
    expect(await run('add', address)).toMatchObject({ code: 1 })
    expect(await treeOf(outside)).toEqual(['empty forms/old/'])
  })
})

/** What a test does to the folder of the skill, and what names it. */
const meddlings: [string, (folder: string) => Promise<unknown>, string][] = [
  [
    'changed content',
    (folder) => writeFile(join(folder, 'SKILL.md'), 'mine'),
    `SKILL.md is changed: sha256:${sha256('mine')} instead of sha256:${sha256(readme.text)}`,
  ],
  [
    'a file less',
    (folder) => rm(join(folder, notes.path)),
    `notes.md is missing (sha256:${sha256(notes.text)})`,
  ],
  ['a file more', (folder) => writeFile(join(folder, 'mine.md'), ''), 'mine.md is not part of it'],
  ['a folder more', (folder) => mkdir(join(folder, 'mine')), 'mine/ is not part of it'],
  [
    'another mode',
    (folder) => chmod(join(folder, script.path), 0o644),
    `fill.sh has lost or gained its executable bit (sha256:${sha256(script.text)})`,
  ],
]

describe('a project that differs from its lock', () => {
  test.each(meddlings)(
    'fails, and is left alone unless told otherwise: %s',
    async (_, meddle, line) => {
      const { run, path, tree, registry } = await installedProject()
      await meddle(path(skill))
      const before = await tree()
      for (const args of [['verify'], ['verify', '--offline']]) {
        expect(await run(...args)).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringContaining(line),
        })
      }
      const checked = await run('verify', '--json')
      expect(JSON.parse(checked.out)).toMatchObject({
        ok: false,
        skills: [{ problems: [expect.stringContaining(line)] }],
      })
      registry.versions.push(second)
      // A bit alone is put right: nothing of anybody's is lost.
      const isLoss = !line.includes('executable')
      if (isLoss) {
        for (const args of [['install', '--frozen'], ['update'], ['remove', 'forms']]) {
          expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(line) })
        }
        expect(await tree()).toEqual(before)
      }
      expect((await run('list')).out).toContain(`${skill}: changed`)
      const forced = await run('install', '--frozen', '--force')
      expect(forced).toMatchObject({ code: 0, err: isLoss ? expect.stringContaining(line) : '' })
      expect(await tree(skill)).toEqual(installed)
      expect(await run('verify')).toMatchObject({ code: 0, err: '' })
    },
  )

  test('is installed without a change of its lock, however that is written', async () => {
    const { run, read, write, path, tree, lock } = await installedProject()
    const text = JSON.stringify(await lock())
    await write('skillpass.lock', text)
    await rm(path('.agents'), { recursive: true })
    for (const args of [['install', '--frozen'], ['install'], ['update'], ['add', address]]) {
      expect(await run(...args)).toMatchObject({ code: 0 })
    }
    expect(await read('skillpass.lock')).toBe(text)
    expect(await tree(skill)).toEqual(installed)
  })

  test('is made whole again where the folder is gone', async () => {
    const { run, path, tree } = await installedProject()
    await rm(path('.agents'), { recursive: true })
    expect((await run('verify')).err).toContain(`${skill} is missing (sha256:`)
    expect((await run('list')).out).toContain(`${skill}: missing`)
    expect(await run('install', '--frozen')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
  })
})

const hidden = (code: string, status: number): MadeAnswer => ({
  status,
  body: { error: { code, message: 'The operator of this registry has hidden this skill.' } },
})
const nothing: MadeAnswer = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'No.' } } }

describe('a registry that no longer hands out what the lock names', () => {
  test.each<[string, (url: string) => MadeAnswer | undefined, string]>([
    [
      'a withdrawn version',
      (url) => (url.includes('version=1') ? nothing : undefined),
      `${address}, version 1, is not there any more or never was`,
    ],
    ['a deleted skill', () => nothing, `${address} is not there`],
    ['a hidden skill, 410', () => hidden('GONE', 410), `${address}, version 1, was withdrawn`],
    [
      'a hidden skill, 451',
      () => hidden('UNAVAILABLE_FOR_LEGAL_REASONS', 451),
      `${address}, version 1, was withdrawn`,
    ],
  ])('is believed, cache or no cache: %s', async (_, answer, message) => {
    let isOver = false
    const { run, path, tree } = await installedProject([first, second], (url) =>
      isOver ? answer(url) : undefined,
    )
    await run('add', `${address}@1`)
    isOver = true
    await rm(path('.agents'), { recursive: true })
    for (const args of [['install', '--frozen'], ['install'], ['verify']]) {
      expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
    }
    expect(await tree()).toEqual(['0644 skillpass.lock'])
  })

  test('or hands out something else under the same number: file and digest are named', async () => {
    const { run, path, tree, registry } = await installedProject()
    const [, ...rest] = first.files
    registry.versions[0] = { files: [{ ...readme, text: 'other' }, ...rest] }
    await rm(path('.agents'), { recursive: true })
    const other = manifestOf(1, registry.versions[0].files).digest
    for (const args of [['install', '--frozen'], ['verify']]) {
      const { code, err } = await run(...args)
      expect(code).toBe(1)
      expect(err).toContain(`has the digest ${other}`)
      expect(err).toContain(
        `SKILL.md is sha256:${sha256('other')} 5 0644 instead of sha256:${sha256(readme.text)}`,
      )
    }
    expect(await tree()).toEqual(['0644 skillpass.lock'])
  })

  test('keeps every skill of the lock from being installed', async () => {
    const good = await startRegistry([first])
    const bad = await startRegistry([second], (url) =>
      url.includes('version=1') ? nothing : undefined,
    )
    const { run, write, path, tree } = await makeProject(good.url)
    await run('add', address)
    await rm(path('.agents'), { recursive: true })
    const lock = JSON.parse(await readFile(path('skillpass.lock'), 'utf8'))
    lock.skills.other = { ...lock.skills.forms, registry: bad.url }
    await write('skillpass.lock', JSON.stringify(lock))
    expect(await run('install', '--frozen')).toMatchObject({ code: 1 })
    expect(await tree()).toEqual(['0644 skillpass.lock'])
  })
})

describe('a dead registry', () => {
  test('is named; the cache serves what it has, and nothing is half-installed', async () => {
    const { run, path, tree, cache, registry } = await installedProject()
    registry.stop()
    await rm(path('.agents'), { recursive: true })
    const verified = await run('verify')
    expect(verified).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Could not reach ${registry.url}`),
    })
    expect(await run('install', '--frozen')).toMatchObject({
      code: 0,
      err: expect.stringContaining('The cache serves'),
    })
    expect(await tree(skill)).toEqual(installed)
    expect(await run('verify', '--offline')).toMatchObject({ code: 0, err: '' })
    for (const args of [['outdated'], ['update'], ['add', address]]) {
      expect(await run(...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining(registry.url),
      })
    }
    await rm(path('.agents'), { recursive: true })
    const hex = sha256(notes.text)
    await rm(join(cache, 'sha256', hex.slice(0, 2), hex))
    expect(await run('install')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Could not reach'),
    })
    expect(await run('install', '--offline')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`references/notes.md (sha256:${hex}) is not in the cache`),
    })
    expect(await tree()).toEqual(['0644 skillpass.lock'])
  })

  test('is not needed offline, and not asked', async () => {
    const { run, path, registry, tree } = await installedProject()
    await rm(path('.agents'), { recursive: true })
    const { length } = registry.asked
    expect(await run('install', '--frozen', '--offline')).toMatchObject({ code: 0, err: '' })
    expect(registry.asked).toHaveLength(length)
    expect(await tree(skill)).toEqual(installed)
  })

  test('leaves a damaged cache to be found out', async () => {
    const { run, path, cache, tree } = await installedProject()
    await rm(path('.agents'), { recursive: true })
    const hex = sha256(notes.text)
    await writeFile(join(cache, 'sha256', hex.slice(0, 2), hex), 'meddled with')
    expect(await run('install', '--offline')).toMatchObject({
      code: 1,
      err: expect.stringContaining(hex),
    })
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
  })
})

describe('update, outdated, list, remove', () => {
  test('a new version takes the place of the former one, with what it has lost', async () => {
    const { run, registry, tree, read, lock } = await installedProject()
    expect((await run('outdated')).out).toBe('Everything is up to date.\n')
    expect((await run('update')).out).toBe('Everything is up to date.\n')
    registry.versions.push(second)
    expect((await run('outdated')).out).toBe(`forms  1 → 2  ${address}\n`)
    expect(JSON.parse((await run('outdated', '--json')).out)).toEqual([
      { name: 'forms', address, version: 1, current: 2 },
    ])
    const before = await tree()
    expect((await run('update', '--dry-run')).out).toBe(
      `Would update forms (${address}) from version 1 to 2\n`,
    )
    expect(await tree()).toEqual(before)
    expect(await run('update', 'forms')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
    expect(await read(`${skill}/scripts/fill.sh`)).toContain('echo 2')
    expect((await lock()).skills.forms.version).toBe(2)
    expect((await run('list')).out).toBe(`forms  ${address}, version 2\n    ${skill}\n`)
    expect(await run('verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 files as locked'),
    })
  })

  test('a registry that goes back is not followed unasked', async () => {
    const { run, registry, lock } = await installedProject([first, second])
    registry.versions.pop()
    const { code, err } = await run('update')
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('older than the 2'),
    })
    expect((await lock()).skills.forms.version).toBe(2)
    expect(await run('add', address)).toMatchObject({ code: 0 })
    expect((await lock()).skills.forms.version).toBe(1)
  })

  test('remove takes the folder and the entry; an unknown name is named', async () => {
    const { run, tree, lock } = await installedProject()
    expect(await run('remove', 'other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('"other"'),
    })
    expect(await run('update', 'other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('"other"'),
    })
    expect((await run('remove', 'forms')).out).toBe(`Removed forms: ${skill}\n`)
    expect(await tree()).toEqual(['0644 skillpass.lock', 'empty .agents/skills/'])
    expect((await lock()).skills).toEqual({})
    expect((await run('list')).out).toBe('No skills are installed here.\n')
    expect((await run('install')).out).toBe('skillpass.lock names no skill.\n')
  })

  test('an entry of an address alone is completed, but not where the lock is frozen', async () => {
    const { url } = await startRegistry([first])
    const { run, write, tree, lock } = await makeProject(url)
    const skills = { forms: { address, registry: url } }
    await write('skillpass.lock', JSON.stringify({ lockfileVersion: 1, skills }))
    for (const args of [['install', '--frozen'], ['install', '--offline'], ['verify']]) {
      expect(await run(...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('no version of forms'),
      })
    }
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(installed)
    expect((await lock()).skills.forms.version).toBe(1)
  })
})

describe('a lock from others', () => {
  const entry = (url: string) => ({ address, registry: url, folders: ['.agents/skills'] })
  const digest = manifestOf(1, first.files).digest
  const line = `sha256:${'0'.repeat(64)} 1 0644`
  test.each<[string, object | string, string]>([
    ['a name out of the folder', { '../x': {} }, '../x cannot be the name of a skill'],
    ['the name of a device', { nul: {} }, 'nul cannot be the name of a skill'],
    ['a folder out of the project', { x: { folders: ['../y'] } }, 'has the folder "../y"'],
    ['an absolute folder', { x: { folders: ['/etc'] } }, 'has the folder "/etc"'],
    [
      'a folder of version control',
      { x: { folders: ['.git/hooks'] } },
      'has the folder ".git/hooks"',
    ],
    ['an address that is none', { x: { address: '../../x' } }, 'has no address'],
    ['a registry that is none', { x: { registry: 'file:///etc' } }, 'has no registry'],
    [
      'a path out of the skill',
      { x: { version: 1, digest, files: { '../x': line } } },
      'has the path "../x"',
    ],
    ['a file without digest', { x: { version: 1, digest, files: { a: 'x' } } }, 'has the path "a"'],
    [
      'a changed digest',
      { x: { version: 1, digest, files: { 'SKILL.md': line } } },
      `said to have ${digest}`,
    ],
    ['no digest', { x: { version: 1, digest: 'x' } }, 'has no digest'],
    ['a merge conflict', '{\n<<<<<<< ours\n', 'marks of a merge conflict'],
    ['no JSON', '{', 'is no JSON'],
    ['another version', '{"lockfileVersion":9}', 'is of version 9'],
    ['no version', '[]', 'has no lockfileVersion'],
  ])('is refused by name, and nothing is written or asked: %s', async (_, given, message) => {
    const registry = await startRegistry([first])
    const { run, write, tree } = await makeProject(registry.url)
    const skills =
      typeof given === 'string'
        ? {}
        : Object.fromEntries(
            Object.entries(given).map(([name, fields]) => [
              name,
              { ...entry(registry.url), ...fields },
            ]),
          )
    const text = typeof given === 'string' ? given : JSON.stringify({ lockfileVersion: 1, skills })
    await write('skillpass.lock', text)
    for (const args of [['install'], ['verify'], ['list'], ['remove', 'x'], ['add', address]]) {
      const { code, err } = await run(...args)
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(message) })
    }
    expect({ asked: registry.asked, tree: await tree() }).toEqual({
      asked: [],
      tree: ['0644 skillpass.lock'],
    })
  })
})
