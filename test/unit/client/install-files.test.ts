import {
  lutimes,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCache } from '../../../client-sdk/src/cli/install/cache.ts'
import { changeLock, readLock } from '../../../client-sdk/src/cli/install/lock.ts'
import { digestOf } from '../../../client-sdk/src/cli/install/manifest.ts'
import { openStaging } from '../../../client-sdk/src/cli/install/staging.ts'
import { temporaryFolder } from '../../support/cleanup.ts'

const projectFolder = async () => realpath(await temporaryFolder())
const entry = { address: 'a/b/c', registry: 'http://localhost:3000', folders: [] }

describe('the lock', () => {
  test('the lock loses no change of concurrent runs', async () => {
    // Time stands still, so that a slow machine does not take a run for a killed one.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const project = await projectFolder()
    const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`)
    await Promise.all(names.map((name) => changeLock(project, new Map([[name, entry]]))))
    expect([...(await readLock(project)).keys()]).toEqual(names.toSorted())
    expect(await readdir(project)).toEqual(['skillpass.lock'])
  })

  test('a run that was killed while it wrote the lock does not block the next one', async () => {
    const project = await projectFolder()
    const left = join(project, 'skillpass.lock.new')
    await writeFile(left, '{')
    await utimes(left, 0, 0)
    await changeLock(project, new Map([['c', entry]]))
    expect(await readdir(project)).toEqual(['skillpass.lock'])
  })

  test.each([
    ['a symbolic link that leads nowhere', (left: string) => symlink('nowhere', left)],
    ['a file from the future', (left: string) => writeFile(left, '{')],
  ])('%s in the place of the lock that is written does not block a run', async (_, leave) => {
    const project = await projectFolder()
    const left = join(project, 'skillpass.lock.new')
    await leave(left)
    await lutimes(left, 4e9, 4e9)
    await changeLock(project, new Map([['c', entry]]))
    expect(await readdir(project)).toEqual(['skillpass.lock'])
  })

  test('a lock that is not JSON stays unchanged', async () => {
    const project = await projectFolder()
    await writeFile(join(project, 'skillpass.lock'), 'theirs')
    await expect(changeLock(project, new Map([['c', entry]]))).rejects.toThrow('no JSON')
    expect(await readdir(project)).toEqual(['skillpass.lock'])
    expect(await readFile(join(project, 'skillpass.lock'), 'utf8')).toBe('theirs')
  })
})

describe('installed folders', () => {
  const file = (text: string) => ({ path: 'SKILL.md', bytes: Buffer.from(text), executable: false })
  async function* files(text: string) {
    yield file(text)
  }

  test('all folders go back if one cannot take its place', async () => {
    const project = await projectFolder()
    const base = join(project, 'skills')
    const place = join(base, 'one', 'SKILL.md')
    await mkdir(join(base, 'one'), { recursive: true })
    await writeFile(place, 'old')
    const staging = openStaging(project)
    await staging.stage(base, 'one', files('new'))
    await staging.stage(join(project, 'more/skills'), 'two', files('new'))
    await staging.remove(base, 'three')
    // As a full disk or another program may do.
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
  test('the cache deletes the old files of runs that were killed while they wrote', async () => {
    const folder = await temporaryFolder()
    const begun = join(folder, 'begun')
    await mkdir(begun)
    for (const name of ['long ago', 'now']) await writeFile(join(begun, name), '')
    await utimes(join(begun, 'long ago'), 0, 0)
    const env = { SKILLPASS_CACHE: folder }
    const cache = openCache({ env })
    const bytes = Buffer.from('x')
    await cache.write(digestOf(bytes), bytes)
    expect(await readdir(begun)).toEqual(['now'])
    expect(await cache.read(digestOf(bytes))).toEqual(bytes)
    expect(await cache.read(digestOf('y'))).toBeUndefined()
  })
})
