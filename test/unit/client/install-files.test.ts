import { mkdir, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCache } from '../../../client-sdk/src/cli/install/cache.ts'
import { changeLock, readLock } from '../../../client-sdk/src/cli/install/lock.ts'
import { digestOf } from '../../../client-sdk/src/cli/install/manifest.ts'
import { openStaging } from '../../../client-sdk/src/cli/install/staging.ts'
import { temporaryFolder } from '../../support/cleanup.ts'

const projectFolder = async () => realpath(await temporaryFolder())
const entry = { address: 'a/b/c', registry: 'http://localhost:3000', folders: [] }

describe('the lock', () => {
  test('loses no change of runs at the same time', async () => {
    const project = await projectFolder()
    const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`)
    await Promise.all(names.map((name) => changeLock(project, new Map([[name, entry]]))))
    expect([...(await readLock(project)).keys()]).toEqual(names.toSorted())
    expect(await readdir(project)).toEqual(['skillpass.lock'])
  })

  test('is not held up by a run that was killed as it wrote', async () => {
    const project = await projectFolder()
    const left = join(project, 'skillpass.lock.new')
    await writeFile(left, '{')
    await utimes(left, 0, 0)
    await changeLock(project, new Map([['c', entry]]))
    expect(await readdir(project)).toEqual(['skillpass.lock'])
  })

  test('stays as it was where it cannot be read', async () => {
    const project = await projectFolder()
    await writeFile(join(project, 'skillpass.lock'), 'theirs')
    await expect(changeLock(project, new Map([['c', entry]]))).rejects.toThrow('no JSON')
    expect(await readdir(project)).toEqual(['skillpass.lock'])
    expect(await readFile(join(project, 'skillpass.lock'), 'utf8')).toBe('theirs')
  })
})

describe('folders that are put in their places', () => {
  const file = (text: string) => ({ path: 'SKILL.md', bytes: Buffer.from(text), executable: false })
  async function* files(text: string) {
    yield file(text)
  }

  test('all go back where one cannot take its place', async () => {
    const project = await projectFolder()
    const base = join(project, 'skills')
    const place = join(base, 'one', 'SKILL.md')
    await mkdir(join(base, 'one'), { recursive: true })
    await writeFile(place, 'old')
    const staging = openStaging(project)
    await staging.stage(base, 'one', files('new'))
    await staging.stage(join(project, 'more/skills'), 'two', files('new'))
    await staging.remove(base, 'three')
    // As a full disk or somebody else may do.
    await rm(join(project, 'more/skills', `.skillpass-${process.pid}`), { recursive: true })
    await expect(staging.swap()).rejects.toThrow('ENOENT')
    expect(await readFile(place, 'utf8')).toBe('new')
    await staging.undo()
    expect(await readFile(place, 'utf8')).toBe('old')
    expect(await readdir(base)).toEqual(['one'])
    expect(await readdir(project)).toEqual(['skills'])
  })
})

describe('the cache', () => {
  test('clears up what runs left that were killed as they wrote', async () => {
    const folder = await temporaryFolder()
    const begun = join(folder, 'begun')
    await mkdir(begun)
    for (const name of ['long ago', 'now']) await writeFile(join(begun, name), '')
    await utimes(join(begun, 'long ago'), 0, 0)
    const env = { SKILLPASS_CACHE: folder }
    const cache = openCache({ env, print: () => {}, warn: () => {} })
    const bytes = Buffer.from('x')
    await cache.write(digestOf(bytes), bytes)
    expect(await readdir(begun)).toEqual(['now'])
    expect(await cache.read(digestOf(bytes))).toEqual(bytes)
    expect(await cache.read(digestOf('y'))).toBeUndefined()
  })
})
