import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'
import { roundsOf, seed } from '../../support/rounds.ts'
import { largeVersion, startCommand, versionThere } from './command-process.ts'
import { makeProject } from './project.ts'
import { address, startRegistry } from './registry.ts'

test(`a run that is killed at any time leaves a whole folder or none, and a later run installs what the lock names (seed ${seed})`, async () => {
  const registry = await startRegistry([largeVersion(1)])
  const project = await makeProject(registry.url)
  const run = (...args: string[]) => startCommand(project, registry.url, ...args)
  expect(await run('add', address).ended).toBe(0)
  registry.versions.push(largeVersion(2))
  // Brings everything into the cache.
  expect(await run('update').ended).toBe(0)
  const begun = performance.now()
  expect(await run('add', `${address}@1`).ended).toBe(0)
  const wholeMs = performance.now() - begun
  const random = seededRandom(seed)
  let killed = 0
  for (let round = 0; round < roundsOf(10) || killed === 0; round++) {
    const { child, ended } = run('add', `${address}@${2 - (round % 2)}`)
    await pause(wholeMs * random())
    child.kill('SIGKILL')
    if ((await ended) === null) killed++
    // The folder is missing only between two renames.
    await versionThere(project)
    expect(await run('install', '--frozen', '--force').ended).toBe(0)
    const { forms } = (await project.lock()).skills
    expect(await versionThere(project)).toBe(forms.version)
  }
})
