import { mkdir, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { until } from '../../support/waiting.ts'
import { largeVersion, skill, startCommand, versionThere } from './command-process.ts'
import { makeProject, type Project } from './project.ts'
import { address, startRegistry } from './registry.ts'

/** A project in which the first version is installed. `answer` may replace answers of the registry. */
async function installedProject(answer?: Parameters<typeof startRegistry>[1]) {
  const registry = await startRegistry([largeVersion(1)], answer)
  const project = await makeProject(registry.url)
  await project.succeed('add', address)
  return { ...project, registry, before: await project.tree() }
}

test('an update that is killed in a download leaves the former version, and the next one succeeds', async () => {
  const isDownload = (url: string) => url.endsWith('/f/50?version=2')
  let isSilent = true
  const project = await installedProject((url) =>
    isSilent && isDownload(url) ? { silent: true } : undefined,
  )
  const { registry, before } = project
  registry.versions.push(largeVersion(2))
  const { child, ended } = startCommand(project, registry.url, 'update')
  await until('the download has begun', () => registry.asked.some(isDownload))
  child.kill('SIGKILL')
  expect(await ended).toBeNull()
  expect(await project.tree()).toEqual(before)
  isSilent = false
  await project.succeed('update')
  expect(await versionThere(project)).toBe(2)
})

// No process has this id.
const staging = '.agents/skills/.skillpass-4194999-a'

test.each([
  ['the folder was missing', ['install'], async () => {}],
  [
    'the new folder was there without its lock',
    ['install', '--force'],
    async ({ write }: Project) => write(`${skill}/SKILL.md`, 'new'),
  ],
])(
  'after a kill when %s, %j writes what the lock names and clears up',
  async (_, command, state) => {
    const project = await installedProject()
    await mkdir(project.path(staging), { recursive: true })
    await rename(project.path(skill), project.path(staging, 'old'))
    await state(project)
    await project.succeed(...command)
    expect(await project.tree()).toEqual(project.before)
  },
)

test('a run leaves the staging of another live run alone', async () => {
  const { succeed, registry, path, tree } = await installedProject()
  const other = `.agents/skills/.skillpass-${process.ppid}-a/new`
  await mkdir(path(other), { recursive: true })
  registry.versions.push(largeVersion(2))
  await succeed('update')
  expect(await tree()).toContain(`empty ${other}/`)
})
