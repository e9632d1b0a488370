import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, publishBundle, replaceFiles } from '../support/bundles.ts'
import type { Skill } from '../support/skills.ts'
import { fetchCommand, startProject } from '../support/stock-command.ts'
import { filesIn, publishedFiles } from './installed-files.ts'
import { startServerWithPrivateSkill } from './private-skills.ts'
import { startServerWithSkills } from './published-skills.ts'

const clawhub = await fetchCommand(
  { name: 'clawhub', version: '0.23.3', script: 'bin/clawdhub.js' },
  '22.23.3',
)

if ('missing' in clawhub) test.skip(`clawhub 0.23.3 is not run: ${clawhub.missing}`, () => {})
else {
  describe('clawhub 0.23.3', async () => {
    const { server, author, single, folder, longPath } = await startServerWithSkills()

    /** Creates a project with the command in non-interactive mode. */
    const start = async () => {
      const { folder, run } = await startProject(clawhub)
      return {
        run: (...args: string[]) =>
          run([...args, '--no-input'], { CLAWHUB_SITE: server.url, CLAWHUB_WORKDIR: folder }),
        /** Returns the files of a skill, without those that the command adds. */
        async installed({ slug }: Skill) {
          const all = await filesIn(join(folder, 'skills', `@${author.username}`, slug))
          return Object.fromEntries(
            Object.entries(all).filter(([path]) => !path.startsWith('.clawhub')),
          )
        },
      }
    }

    test.each([
      ['install @author-1/single-file', single],
      ['install @author-1/whole-folder', folder],
      ['install @author-1/long-path --version 1.0.0', longPath],
    ])('clawhub %s installs the published files', async (command, skill) => {
      const project = await start()
      const { code, output } = await project.run(...command.split(' '))
      expect(code, output).toBe(0)
      expect(await project.installed(skill)).toEqual(await publishedFiles(server, skill))
      expect((await project.run('list')).output).toContain(`${skill.slug}  1.0.0`)
    })

    test.each([
      ['search single-file', 0, 'single-file v1.0.0'],
      ['install single-file', 1, 'author-1/single-file'],
    ])('clawhub %s exits with %i and prints the name of the skill', async (command, code, name) => {
      const done = await (await start()).run(...command.split(' '))
      expect(done.output).toContain(name)
      expect(done.code, done.output).toBe(code)
    })

    test('clawhub updates a skill to a new version and installs an earlier one', async () => {
      const files = [file('scripts/run.sh', '#!/bin/sh\necho run\n', true)]
      const skill = await publishBundle(author, files)
      const name = `@${author.username}/${skill.slug}`
      const project = await start()
      await project.run('install', name)
      expect((await project.run('update', '--all')).output).toContain('up to date')
      const next = [file('new.md', 'new')]
      await replaceFiles(author, skill, next, { readme: '# Again\n' })
      const { code, output } = await project.run('update', '--all')
      expect(code, output).toBe(0)
      expect(output).toContain('v2.0.0')
      const now = await publishedFiles(server, skill)
      expect(await project.installed(skill)).toEqual(now)
      const older = await start()
      expect((await older.run('install', name, '--version', '1.0.0')).code).toBe(0)
      expect(Object.keys(await older.installed(skill)).sort()).toEqual(
        ['SKILL.md', ...files.map(({ path }) => path)].sort(),
      )
    })

    test('clawhub installs a private skill with the key of its login, and not without', async () => {
      const { server, acme, skill, key } = await startServerWithPrivateSkill()
      const { folder, run } = await startProject(clawhub)
      const call = (...args: string[]) =>
        run([...args, '--no-input'], { CLAWHUB_SITE: server.url, CLAWHUB_WORKDIR: folder })
      const name = `@${acme.username}/${skill.slug}`
      const denied = await call('install', name)
      expect(denied.code, denied.output).not.toBe(0)
      expect((await call('login', '--token', `${key}x`)).code).not.toBe(0)
      const login = await call('login', '--token', key)
      expect(login.output).toContain('Logged in as @reader-')
      for (const args of [
        ['install', name],
        ['update', '--all'],
      ]) {
        const { code, output } = await call(...args)
        expect(code, output).toBe(0)
      }
      expect((await call('search', 'deploy')).output).toContain('deploy v1.0.0')
      const installed = await filesIn(join(folder, 'skills', name))
      expect(Object.keys(installed)).toEqual(
        expect.arrayContaining(['SKILL.md', 'new.md', 'scripts/run.sh']),
      )
      const texts = Object.values(installed).map((bytes) => Buffer.from(bytes, 'base64').toString())
      expect(texts.join()).not.toContain(key)
    })
  })
}
