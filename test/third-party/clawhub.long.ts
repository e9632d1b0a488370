import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, named, publishBundle, upload } from '../support/bundles.ts'
import type { Skill } from '../support/skills.ts'
import { filesIn, publishedFiles } from './installed-files.ts'
import { clawhubRecordings } from './recorded-requests.ts'
import { publishRecorded, startRecordedServer } from './recorded-skills.ts'
import { fetchCommand, startProject } from './stock-command.ts'

const clawhub = await fetchCommand(
  { name: 'clawhub', version: '0.23.3', script: 'bin/clawdhub.js' },
  '22.23.3',
)

if ('missing' in clawhub) test.skip(`clawhub 0.23.3 is not run: ${clawhub.missing}`, () => {})
else {
  describe('clawhub 0.23.3', async () => {
    const server = await startRecordedServer()
    const { author, single, folder, longPath } = await publishRecorded(server)

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

    // These run first, because later tests publish other versions.
    test.each(clawhubRecordings.map((one) => [one.command, one.requests] as const))(
      'clawhub %s sends the recorded requests and installs the published files',
      async (command, requests) => {
        const project = await start()
        server.recorded()
        const { code, output } = await project.run(...command.split(' '))
        expect(server.recorded()).toEqual(requests)
        const isFound = !requests.some((line) => line.endsWith('404'))
        expect(code === 0, output).toBe(isFound)
        if (!isFound || command.startsWith('search')) {
          expect(output).toContain(isFound ? 'single-file v1.0.0' : 'author-1/single-file')
          return
        }
        const skill = [single, folder, longPath].find(({ slug }) => command.includes(slug))
        if (!skill) throw new Error(`${command} names no skill`)
        expect(await project.installed(skill)).toEqual(await publishedFiles(server, skill))
        expect((await project.run('list')).output).toContain(`${skill.slug}  1.0.0`)
      },
    )

    test('clawhub updates a skill to a new version and installs an earlier one', async () => {
      const files = [file('scripts/run.sh', '#!/bin/sh\necho run\n', true)]
      const skill = await publishBundle(author, files)
      const name = `@${author.username}/${skill.slug}`
      const project = await start()
      await project.run('install', name)
      expect((await project.run('update', '--all')).output).toContain('up to date')
      const next = [file('new.md', 'new')]
      await upload(author, next)
      await author.client.registry.skills.update({
        params: { id: skill.id },
        body: { readme: '# Again\n', files: next.map(named) },
      })
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
  })
}
