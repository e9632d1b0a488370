import { mkdir, readdir, readFile, realpath, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { changeLock, readLock } from '../../../client-sdk/src/cli/install/lock.ts'
import { replaceFolders } from '../../../client-sdk/src/cli/install/replace-folders.ts'
import { temporaryFolder } from '../../support/cleanup.ts'

const projectFolder = async () => realpath(await temporaryFolder())
const entry = { address: 'a/b/c', registry: 'http://localhost:3000', folders: [] }

test('the lock loses no changes of concurrent runs, and a killed run does not block others', async () => {
  const project = await projectFolder()
  const temporaryLock = join(project, 'skillpass.lock.new')
  await writeFile(temporaryLock, '{')
  await utimes(temporaryLock, 0, 0)
  await changeLock(project, new Map([['first', entry]]))
  // Fake time, so that a slow run is not mistaken for a killed one.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`)
  await Promise.all(names.map((name) => changeLock(project, new Map([[name, entry]]))))
  expect([...(await readLock(project)).keys()]).toEqual(['first', ...names].toSorted())
  expect(await readdir(project)).toEqual(['skillpass.lock'])
})

test('if the lock cannot be written, all folders are restored, and no link is followed', async () => {
  const project = await projectFolder()
  const base = join(project, 'skills')
  const place = join(base, 'one', 'SKILL.md')
  await mkdir(join(base, 'one'), { recursive: true })
  await writeFile(place, 'old')
  const outside = await projectFolder()
  await writeFile(join(outside, 'theirs'), '')
  await symlink(outside, join(base, '.skillpass-4194999-a'))
  async function* files() {
    yield { path: 'SKILL.md', bytes: Buffer.from('new'), executable: false }
  }
  const replacements = [
    { base, name: 'one', files: files() },
    { base: join(project, 'more/skills'), name: 'two', files: files() },
    { base, name: 'three' },
  ]
  const replaced = replaceFolders(replacements, async () => {
    expect(await readFile(place, 'utf8')).toBe('new')
    throw new Error('The disk is full.')
  })
  await expect(replaced).rejects.toThrow('The disk is full.')
  expect(await readFile(place, 'utf8')).toBe('old')
  expect(await readdir(base)).toEqual(['one'])
  expect(await readdir(project)).toEqual(['skills'])
  expect(await readdir(outside)).toEqual(['theirs'])
})
