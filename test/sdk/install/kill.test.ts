import { spawn } from 'node:child_process'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { root } from '../../support/processes.ts'
import { seededRandom } from '../../support/random.ts'
import { makeProject } from './project.ts'
import { address, type MadeVersion, startRegistry } from './registry.ts'

const folder = await temporaryFolder()
const program = join(folder, 'skillpass.mjs')

beforeAll(async () => {
  const contents = `import { main } from './client-sdk/src/cli/main.ts'
process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
})`
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    platform: 'node',
    format: 'esm',
    bundle: true,
    outfile: program,
  })
})

const skill = '.agents/skills/forms'
const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }
const version = (number: number): MadeVersion => ({
  files: [
    readme,
    ...Array.from({ length: 100 }, (_, at) => ({ path: `f/${at}`, text: `${number} ${at}` })),
  ],
})

type Project = Awaited<ReturnType<typeof makeProject>>

/** Starts the command in a process of its own. */
function start({ cwd, cache }: Project, url: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, SKILLPASS_URL: url, SKILLPASS_CACHE: cache }
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: 'ignore' })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended }
}

/** What the folder of the skill holds: the number of a version where it is whole. */
async function versionThere({ tree, read }: Project): Promise<number | 'none'> {
  const files = await tree(skill).catch(() => [])
  if (files.length === 0) return 'none'
  expect(files).toHaveLength(101)
  const texts = await Promise.all(Array.from({ length: 100 }, (_, at) => read(`${skill}/f/${at}`)))
  const numbers = new Set(texts.map((text) => Number(text.split(' ')[0])))
  expect(numbers.size).toBe(1)
  return [...numbers][0] ?? 'none'
}

describe('a run that is killed', () => {
  test('in a download leaves nothing in the project', async () => {
    const registry = await startRegistry([version(1)], (url) =>
      url.includes('/f%2F50') || url.includes('/f/50') ? { silent: true } : undefined,
    )
    const project = await makeProject(registry.url)
    const { child, ended } = start(project, registry.url, 'add', address)
    await expect.poll(() => registry.asked.some((url) => url.includes('f/50'))).toBe(true)
    child.kill('SIGKILL')
    await ended
    expect(await project.tree()).toEqual([])
  })

  // Twenty processes, one after the other, beside those of other tests.
  test('at any time leaves the folder whole, and a later run clears up', async () => {
    const registry = await startRegistry([version(1)])
    const project = await makeProject(registry.url)
    expect(await start(project, registry.url, 'add', address).ended).toBe(0)
    registry.versions.push(version(2))
    // Brings everything into the cache.
    expect(await start(project, registry.url, 'update').ended).toBe(0)
    const begun = performance.now()
    expect(await start(project, registry.url, 'add', `${address}@1`).ended).toBe(0)
    const whole = performance.now() - begun
    const random = seededRandom(24)
    let killed = 0
    for (let round = 0; round < 10; round++) {
      const wanted = 2 - (round % 2)
      const { child, ended } = start(project, registry.url, 'add', `${address}@${wanted}`)
      await pause(whole * random())
      child.kill('SIGKILL')
      if ((await ended) === null) killed++
      // Only between two renames is it away, and then it lies aside.
      await versionThere(project)
      expect(await start(project, registry.url, 'install', '--frozen').ended).toBe(0)
      const { forms } = (await project.lock()).skills
      expect(await versionThere(project)).toBe(forms.version)
      const left = (await project.tree()).filter((line) => line.includes('.skillpass-'))
      expect(left).toEqual([])
    }
    expect(killed).toBeGreaterThan(0)
  })

  // Where a kill can hit between two renames, as a test can lay it out.
  test.each([
    [
      'before the new folder took its place',
      async ({ path }: Project, staging: string) => {
        await rename(path(skill), join(staging, 'old'))
      },
    ],
    [
      'before the lock was written',
      async ({ path }: Project, staging: string) => {
        await cp(path(skill), join(staging, 'new'), { recursive: true })
        await rename(path(skill), join(staging, 'old'))
        await rename(join(staging, 'new'), path(skill))
        await rename(path(skill, 'f/1'), path(skill, 'f/of the new version'))
      },
    ],
  ])('has what it had put aside put back: %s', async (_, kill) => {
    const registry = await startRegistry([version(1)])
    const project = await makeProject(registry.url)
    await project.run('add', address)
    const before = await project.tree()
    // A process id that no process has.
    const staging = project.path('.agents/skills/.skillpass-4194999/forms')
    await mkdir(staging, { recursive: true })
    await kill(project, staging)
    expect(await project.run('install', '--frozen')).toMatchObject({ code: 0 })
    expect(await project.tree()).toEqual(before)
  })

  test.each([
    ['is put back while the lock names it', true],
    ['is gone once the lock has forgotten it', false],
  ])('in a removal: the folder %s', async (_, isNamed) => {
    const registry = await startRegistry([version(1)])
    const project = await makeProject(registry.url)
    await project.run('add', address)
    const before = await project.tree()
    const staging = project.path('.agents/skills/.skillpass-4194999/forms')
    await mkdir(staging, { recursive: true })
    await rename(project.path(skill), join(staging, 'gone'))
    const lock = JSON.stringify({ lockfileVersion: 1, skills: {} })
    if (!isNamed) await project.write('skillpass.lock', lock)
    expect(await project.run('install')).toMatchObject({ code: 0 })
    const after = isNamed ? before : ['0644 skillpass.lock', 'empty .agents/skills/']
    expect(await project.tree()).toEqual(after)
  })

  test('does not have what another run is at cleared away', async () => {
    const registry = await startRegistry([version(1)])
    const project = await makeProject(registry.url)
    await project.run('add', address)
    const other = project.path(`.agents/skills/.skillpass-${process.ppid}/forms/new`)
    await mkdir(other, { recursive: true })
    expect(await project.run('install')).toMatchObject({ code: 0 })
    expect(await project.tree()).toContain(
      `empty .agents/skills/.skillpass-${process.ppid}/forms/new/`,
    )
  })
})
