import { spawn } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { clientCommand } from '../../support/processes.ts'
import { until } from '../../support/waiting.ts'
import { makeProject, type Project } from './project.ts'
import { address, type StubVersion, startRegistry } from './registry.ts'

/** Where the skill of the registry is installed. */
const skill = '.agents/skills/forms'

const fileCount = 100

/** Returns a version with many files, each of which contains the version number. */
const largeVersion = (number: number): StubVersion => ({
  files: [
    { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' },
    ...Array.from({ length: fileCount }, (_, at) => ({ path: `f/${at}`, text: `${number} ${at}` })),
  ],
})

/** Starts the command in a process. `ended` resolves to its exit code; null after a kill. */
function startCommand({ cwd, cache }: Project, url: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, SKILLPASS_URL: url, SKILLPASS_CACHE: cache }
  const options = { cwd, env, stdio: 'ignore' } as const
  const child = spawn(process.execPath, [clientCommand, ...args], options)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended }
}

/** Returns the installed version or `none`. Expects that no file is missing. */
async function versionThere({ tree, read }: Project): Promise<number | 'none'> {
  const files = await tree(skill).catch(() => [])
  if (files.length === 0) return 'none'
  expect(files).toHaveLength(fileCount + 1)
  const paths = Array.from({ length: fileCount }, (_, at) => `${skill}/f/${at}`)
  const texts = await Promise.all(paths.map((path) => read(path)))
  const numbers = new Set(texts.map((text) => Number(text.split(' ')[0])))
  expect(numbers.size).toBe(1)
  return [...numbers][0] ?? 'none'
}

/** Creates a project with the first version. `answer` may replace responses of the registry. */
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
  await until('the download has begun', () => registry.requests.some(isDownload))
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
    'the new folder existed, but the lock was not written',
    ['install', '--force'],
    async ({ write }: Project) => write(`${skill}/SKILL.md`, 'new'),
  ],
])('after a kill when %s, %j restores the version and cleans up', async (_, command, state) => {
  const project = await installedProject()
  await mkdir(project.path(staging), { recursive: true })
  await rename(project.path(skill), project.path(staging, 'old'))
  await state(project)
  await project.succeed(...command)
  expect(await project.tree()).toEqual(project.before)
})

test('a run does not remove the staging folder of another live run', async () => {
  const { succeed, registry, path, tree } = await installedProject()
  const other = `.agents/skills/.skillpass-${process.ppid}-a/new`
  await mkdir(path(other), { recursive: true })
  registry.versions.push(largeVersion(2))
  await succeed('update')
  expect(await tree()).toContain(`empty ${other}/`)
})
