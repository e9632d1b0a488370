import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, named, publishBundle, type TestFile, upload } from '../support/bundles.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, publish, type Skill, unique } from '../support/skills.ts'
import { filesIn, publishedFiles } from './installed-files.ts'
import { skillsOnNode20 } from './run-command.ts'
import { fetchCommand, startProject } from './stock-command.ts'

const PORT = String(await freePort())
const BASE_URL = `http://127.0.0.1:${PORT}`
const server = await startTestServer({ env: { PORT, BASE_URL } })
const newer = await fetchCommand(
  { name: 'skills', version: '1.7.4', script: 'bin/cli.mjs' },
  '22.23.3',
)
const installers = ['missing' in newer ? undefined : newer, skillsOnNode20].flatMap(
  (one) => one ?? [],
)

if ('missing' in newer) test.skip(`skills 1.7.4 is not run: ${newer.missing}`, () => {})

const longName = `references/${'long-'.repeat(22)}.md`
const files = [
  file('scripts/run.sh', '#!/bin/sh\necho run\n', true),
  file('references/über uns.md', '# Über\n'),
  file(
    'assets/data.bin',
    Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256),
  ),
]

const add = (...args: string[]) => ['add', ...args, '-y', '-a', 'claude-code']

describe.each(installers)('npx skills $version', async (installer) => {
  const author = await server.agent('author')
  const single = await publish(author, {
    slug: 'single-file',
    readme: '# Single\n',
    description: 'One: file.',
  })
  const folder = await publishBundle(author, files, { slug: 'whole-folder' })
  const scopes = { owner: author.username, repository: `${author.username}/skills` }
  const installed = (project: string, { slug }: Skill) => join(project, '.claude/skills', slug)

  async function expectInstalled(project: string, skill: Skill, given: readonly TestFile[] = []) {
    const there = await filesIn(installed(project, skill))
    expect(there).toEqual(await publishedFiles(server, skill))
    for (const { path, bytes } of given) {
      expect(there[path]).toBe(Buffer.from(bytes).toString('base64'))
    }
    expect(Object.keys(there)).toHaveLength(given.length + 1)
  }

  test.each([
    ['an owner', scopes.owner, true],
    ['a repository', scopes.repository, true],
    ['a skill', '', false],
    ['a skill of a repository', '@', false],
  ])('adds a single file and a folder by the address of %s', async (_, scope, isList) => {
    const project = await startProject(installer)
    for (const [skill, given] of [
      [single, []],
      [folder, files],
    ] as const) {
      const { owner, name } = skill.repo
      const one =
        scope === '@' ? `${owner}/${name}@${skill.slug}` : `${owner}/${name}/${skill.slug}`
      const args = isList ? [`${BASE_URL}/${scope}`, '--skill', skill.slug] : [`${BASE_URL}/${one}`]
      const { code, output } = await project.run(add(...args))
      expect(code, output).toBe(0)
      await expectInstalled(project.folder, skill, given)
    }
    const list = await project.run(['list'])
    expect(list.output).toContain('single-file')
    expect(list.output).toContain('whole-folder')
  })

  test('takes all that an address lists, and only that', async () => {
    const project = await startProject(installer)
    const { code, output } = await project.run(add(`${BASE_URL}/${scopes.repository}`))
    expect(code, output).toBe(0)
    const names = await readdir(join(project.folder, '.claude/skills'))
    expect(names.sort()).toEqual(['single-file', 'whole-folder'])
  })

  test('writes every file without the mode that it was published with: scripts cannot be run', async () => {
    const project = await startProject(installer)
    await project.run(add(`${BASE_URL}${addressOf(folder)}`))
    const { mode } = await stat(join(installed(project.folder, folder), 'scripts/run.sh'))
    expect(mode & 0o111).toBe(0)
  })

  test('reads paths of more than 100 bytes, which come as zip', async () => {
    const skill = await publishBundle(author, [file(longName, 'long'), ...files])
    const project = await startProject(installer)
    const { code, output } = await project.run(add(`${BASE_URL}${addressOf(skill)}`))
    expect(code, output).toBe(0)
    await expectInstalled(project.folder, skill, [file(longName, 'long'), ...files])
  })

  test('reads what broken front matter says', async () => {
    const readme = '---\nname: Other Name\ndescription: Use: when "x"\n---\n# T\n'
    const skill = await publish(author, { readme })
    const project = await startProject(installer)
    const { code, output } = await project.run(add(`${BASE_URL}${addressOf(skill)}`))
    expect(code, output).toBe(0)
    expect(output).toContain('Use: when "x"')
    await expectInstalled(project.folder, skill)
  })

  test('gets the new version, and none of the files that it no longer has', async () => {
    const skill = await publishBundle(author, files)
    const project = await startProject(installer)
    const address = `${BASE_URL}${addressOf(skill)}`
    await project.run(add(address))
    await expectInstalled(project.folder, skill, files)
    const next = [file('scripts/run.sh', '#!/bin/sh\necho again\n'), file('new.md', 'new')]
    await upload(author, next)
    await author.client.registry.skills.update({
      params: { id: skill.id },
      body: { readme: '# Again\n', files: next.map(named) },
    })
    if (installer === skillsOnNode20) {
      // It keeps no address of what it has added, and tells so; adding again is its way.
      const { output } = await project.run(['update', '-y'])
      expect(output).toContain('No project skills can be updated in place')
      await project.run(add(address))
    } else {
      const { code, output } = await project.run(['update', '-y'])
      expect(code, output).toBe(0)
      expect(output).toContain(`Updated ${skill.slug}`)
      const again = await project.run(['update', '-y'])
      expect(again.output).not.toContain(`Updated ${skill.slug}`)
    }
    await expectInstalled(project.folder, skill, next)
  })

  test('tells by which address a skill of the home is to be added again, or updates it', async () => {
    const skill = await publish(author, { readme: '# One\n' })
    const project = await startProject(installer)
    await project.run([...add(`${BASE_URL}/${scopes.repository}`, '--skill', skill.slug), '-g'])
    const params = { id: skill.id }
    await author.client.registry.skills.update({ params, body: { readme: '# Two\n' } })
    const { output } = await project.run(['update', '-g', '-y'])
    if (installer === skillsOnNode20) {
      expect(output).toContain(`npx skills add ${BASE_URL}${addressOf(skill)} -g -y`)
    } else expect(output).toContain(`Updated ${skill.slug}`)
  })

  test('finds skills here, by an address that adds them from here', async () => {
    const word = unique('lighthouse')
    const skill = await publish(author, { slug: word, description: 'Finds lighthouses.' })
    const project = await startProject(installer)
    const { output } = await project.run(['find', word], { SKILLS_API_URL: BASE_URL })
    const [, address = ''] = /^(http\S+@\S+)/m.exec(output) ?? []
    expect(address).toBe(`${BASE_URL}/${scopes.repository}@${word}`)
    const { code } = await project.run(add(address))
    expect(code).toBe(0)
    await expectInstalled(project.folder, skill)
  })

  test.each([
    ['a skill', addressOf(folder), [folder]],
    ['a repository', `/${scopes.repository}`, [folder, single]],
    ['an owner', `/${scopes.owner}`, [folder, single]],
  ])('runs the line on the page of %s as it stands there', async (_, path, skills) => {
    const page = await server.http(path, { headers: { accept: 'text/html' } })
    const [, line = ''] = /<code>npx skills ([^<]+)<\/code>/.exec(await page.text()) ?? []
    const project = await startProject(installer)
    const { code, output } = await project.run([...line.split(' '), '-y', '-a', 'claude-code'])
    expect(code, output).toBe(0)
    for (const skill of skills) {
      await expectInstalled(project.folder, skill, skill === folder ? files : [])
    }
  })

  test('adds the skills of the service from the root', async () => {
    const project = await startProject(installer)
    const { code } = await project.run(add(BASE_URL))
    expect(code).toBe(0)
    const names = await readdir(join(project.folder, '.claude/skills'))
    expect(names).toContain('skillpass')
    const text = await readFile(join(project.folder, '.claude/skills/skillpass/SKILL.md'), 'utf8')
    expect(text).toContain(`${BASE_URL}/api/v1/skills/resolve`)
  })

  test('leaves what a project has where nothing stands at the address', async () => {
    const project = await startProject(installer)
    await mkdir(join(project.folder, '.claude/skills'), { recursive: true })
    const { code, output } = await project.run(add(`${BASE_URL}/nobody/none`))
    const names = await readdir(join(project.folder, '.claude/skills'))
    if (installer === skillsOnNode20) {
      // It goes on to the root, and installs the service's own skills.
      expect(names).toContain('skillpass')
    } else {
      expect(code).toBe(1)
      expect(output).toContain('No skills found')
      expect(names).toEqual([])
    }
  })
})
