import { cp, mkdir, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { until } from '../../support/waiting.ts'
import { largeVersion, skill, startCommand, versionThere } from './command-process.ts'
import { makeProject, type Project } from './project.ts'
import { address, startRegistry } from './registry.ts'

// No process has this id.
const staging = '.agents/skills/.skillpass-4194999/forms'

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
  expect(await versionThere(project)).toBe(1)
  isSilent = false
  await project.succeed('update')
  expect(await versionThere(project)).toBe(2)
})

// The states between two renames, in which a kill can leave a project.
test.each([
  [
    'before the new folder was in its place',
    async ({ path }: Project) => {
      await rename(path(skill), path(staging, 'old'))
    },
  ],
  [
    'before the lock was written',
    async ({ path }: Project) => {
      await cp(path(skill), path(staging, 'old'), { recursive: true })
      await rename(path(skill, 'f/1'), path(skill, 'f/of the new version'))
    },
  ],
])('the next run puts the former folder back after a kill %s', async (_, kill) => {
  const project = await installedProject()
  await mkdir(project.path(staging), { recursive: true })
  await kill(project)
  await project.succeed('install', '--frozen')
  expect(await project.tree()).toEqual(project.before)
})

test.each([
  ['puts a folder back after a kill in a removal, while the lock names it', true],
  ['deletes a folder after a kill in a removal, once the lock no longer names it', false],
])('the next run %s', async (_, isNamed) => {
  const { succeed, path, write, tree, before } = await installedProject()
  await mkdir(path(staging), { recursive: true })
  await rename(path(skill), path(staging, 'gone'))
  const lock = JSON.stringify({ lockfileVersion: 1, skills: {} })
  if (!isNamed) await write('skillpass.lock', lock)
  await succeed('install')
  expect(await tree()).toEqual(isNamed ? before : ['0644 skillpass.lock', 'empty .agents/skills/'])
})

test('a run leaves the staging of another live run alone', async () => {
  const { succeed, path, tree } = await installedProject()
  const other = `.agents/skills/.skillpass-${process.ppid}/forms/new`
  await mkdir(path(other), { recursive: true })
  await succeed('install')
  expect(await tree()).toContain(`empty ${other}/`)
})
