import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, publishBundle, replaceFiles } from '../support/bundles.ts'
import { addressOf, publish, type Skill, unique } from '../support/skills.ts'
import { skillsOnNode20, startProject } from '../support/stock-command.ts'
import { filesIn, publishedFiles } from './installed-files.ts'
import { startServerWithSkills } from './published-skills.ts'
import { fetchInstallers } from './skills-versions.ts'

const add = (...args: string[]) => ['add', ...args, '-y', '-a', 'claude-code']

describe.each(await fetchInstallers())('npx skills $version', async (installer) => {
  const { server, author, single, folder, longPath } = await startServerWithSkills()
  const scopes = { owner: author.username, repository: `${author.username}/skills` }
  const installed = (project: string, { slug }: Skill) => join(project, '.claude/skills', slug)

  const expectInstalled = async (project: string, skill: Skill) =>
    expect(await filesIn(installed(project, skill))).toEqual(await publishedFiles(server, skill))

  // These run first, because the owner's index lists every skill that later tests publish.
  test.each([
    ['/author-1', [single, folder, longPath]],
    ['/author-1/skills', [single, folder, longPath]],
    ['/author-1/skills/whole-folder', [folder]],
    ['/author-1/skills@single-file', [single]],
    ['/author-1/skills/long-path', [longPath]],
  ])(`npx skills ${installer.version} add %s installs all files`, async (address, skills) => {
    const project = await startProject(installer)
    const { code, output } = await project.run(add(server.url + address))
    expect(code, output).toBe(0)
    const slugs = skills.map(({ slug }) => slug)
    const names = await readdir(join(project.folder, '.claude/skills'))
    expect(names.sort()).toEqual(slugs.toSorted())
    for (const skill of skills) await expectInstalled(project.folder, skill)
    const list = await project.run(['list'])
    for (const slug of slugs) expect(list.output).toContain(slug)
  })

  test(`npx skills ${installer.version} removes files that a new version no longer has`, async () => {
    const skill = await publishBundle(author, [
      file('scripts/run.sh', '#!/bin/sh\necho run\n', true),
    ])
    const project = await startProject(installer)
    const address = `${server.url}${addressOf(skill)}`
    await project.run(add(address))
    await expectInstalled(project.folder, skill)
    const next = [file('scripts/run.sh', '#!/bin/sh\necho again\n'), file('new.md', 'new')]
    await replaceFiles(author, skill, next, { readme: '# Again\n' })
    if (installer === skillsOnNode20) {
      // It does not store the addresses of a project's skills, so they must be added again.
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
    await expectInstalled(project.folder, skill)
  })

  test(`npx skills ${installer.version} finds a skill by an address that installs it from this server`, async () => {
    const word = unique('lighthouse')
    const skill = await publish(author, { slug: word, description: 'Finds lighthouses.' })
    const project = await startProject(installer)
    const { output } = await project.run(['find', word], { SKILLS_API_URL: server.url })
    const [, address = ''] = /^(http\S+@\S+)/m.exec(output) ?? []
    expect(address).toBe(`${server.url}/${scopes.repository}@${word}`)
    const { code } = await project.run(add(address))
    expect(code).toBe(0)
    await expectInstalled(project.folder, skill)
  })

  test.each([
    ['a skill', addressOf(folder), [folder]],
    ['a repository', `/${scopes.repository}`, [folder, single]],
    ['an owner', `/${scopes.owner}`, [folder, single]],
  ])(`npx skills ${installer.version} runs the command of the page %s`, async (_, path, skills) => {
    const page = await server.http(path, { headers: { accept: 'text/html' } })
    const [, line = ''] = /<code>npx skills ([^<]+)<\/code>/.exec(await page.text()) ?? []
    const project = await startProject(installer)
    const { code, output } = await project.run([...line.split(' '), '-y', '-a', 'claude-code'])
    expect(code, output).toBe(0)
    for (const skill of skills) {
      await expectInstalled(project.folder, skill)
    }
  })
})
