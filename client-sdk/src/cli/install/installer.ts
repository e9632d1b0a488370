import { lstat, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Wire } from '../../transport.ts'
import { plain } from '../command.ts'
import type { Cache } from './cache.ts'
import { differencesOf, isAsLocked } from './differences.ts'
import { claudes, everyAgents, realFolder } from './folders.ts'
import { changeLock, isSameEntry, type Lock, type LockEntry, type LockedVersion } from './lock.ts'
import { digestOf, type ManifestFile } from './manifest.ts'
import { download } from './source.ts'
import { openStaging, recover, type StagedFile, type Staging } from './staging.ts'
import { type Target, targetsOf } from './targets.ts'

/** A skill as it is to stand in the project. */
export interface Wanted extends LockEntry {
  readonly name: string
  readonly locked: LockedVersion
  /** The address that the skill has moved to since; that of the lock stays what it is. */
  readonly downloadFrom?: string
}

/** Where and how skills are installed. */
export interface Installation {
  /** The project's folder, symbolic links resolved. */
  readonly project: string
  readonly lock: Lock
  readonly cache: Cache
  readonly wire: Wire
  readonly force: boolean
  /** Whether no registry may be asked. */
  readonly offline?: boolean | undefined
  readonly isTakenOver?: ((folder: string) => Promise<boolean>) | undefined
}

/** What was done for a skill. */
export interface Installed {
  readonly wanted: Wanted
  readonly targets: readonly Target[]
  /** Whether any folder had to be written. */
  readonly isNew: boolean
  /** What was replaced that this program had not installed, a line each. */
  readonly losses: readonly string[]
}

/** The folder that the program works in, symbolic links resolved. */
export const projectOf = ({ cwd }: { readonly cwd?: string | undefined }): Promise<string> =>
  realpath(cwd ?? process.cwd())

/**
 * Installs skills together: every file is at hand and every folder written beside its place before the
 * first is replaced; then the lock is written. Whatever fails, folders and lock stay as they were.
 */
export async function install(
  installation: Installation,
  wanted: readonly Wanted[],
): Promise<Installed[]> {
  const { project, lock, force } = installation
  await recoverFolders(project, lock, wanted)
  const installed: Installed[] = []
  for (const skill of wanted) {
    const { name, folders, locked } = skill
    const before = lock.get(name)
    const rules = { before, isTakenOver: installation.isTakenOver ?? (async () => false) }
    const files = locked.files
    const losses: string[] = []
    const targets = await targetsOf(project, name, { folders, files }, rules, losses)
    const isNew = targets.some(({ state }) => state === 'write')
    installed.push({ wanted: skill, targets, isNew, losses })
  }
  const losses = installed.flatMap((skill) => skill.losses)
  if (losses.length > 0 && !force) {
    const lost = losses.map((loss) => `\n  ${loss}`).join('')
    throw new Error(`Nothing was changed, as this would be lost; --force replaces it:${lost}`)
  }
  for (const skill of installed) if (skill.isNew) await haveFiles(installation, skill)
  const staging = openStaging(project)
  await inPlace(staging, async () => {
    for (const { wanted, targets } of installed) {
      for (const { base } of targets.filter(({ state }) => state === 'write')) {
        await staging.stage(base, wanted.name, filesOf(installation.cache, wanted.locked.files))
      }
    }
    await staging.swap()
    const changed = wanted.filter((skill) => !isSameEntry(skill.name, lock.get(skill.name), skill))
    const changes = new Map(changed.map((skill) => [skill.name, skill]))
    if (changes.size > 0) await changeLock(project, changes)
  })
  return installed
}

/** Runs what stages and swaps; whatever fails in it leaves everything as it was. */
export async function inPlace(staging: Staging, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await staging.undo()
    throw error
  }
  await staging.finish()
}

/** Clears up after runs that were killed, wherever they may have been at work. */
export async function recoverFolders(
  project: string,
  lock: Lock,
  wanted: readonly LockEntry[] = [],
): Promise<void> {
  const named = [...lock.values(), ...wanted].flatMap(({ folders }) => folders)
  const bases = new Set<string>()
  for (const folder of new Set(named)) bases.add(await realFolder(project, folder))
  // Where nothing is installed by default, it is nobody's business what is there.
  for (const folder of [everyAgents, claudes]) {
    const base = await realFolder(project, folder).catch(() => undefined)
    if (base !== undefined) bases.add(base)
  }
  const isLocked = async (name: string, path: string) => {
    const locked = lock.get(name)?.locked
    return locked !== undefined && isAsLocked(await differencesOf(path, locked.files))
  }
  for (const base of bases) await recover(base, { isNamed: (name) => lock.has(name), isLocked })
}

const atOnce = 4

/** Brings every file of a skill into the cache, a few at a time: from its folders, or from its registry. */
async function haveFiles(
  { cache, wire, offline }: Installation,
  { wanted, targets }: Installed,
): Promise<void> {
  const { registry, address, downloadFrom = address, locked } = wanted
  const byDigest = new Map(locked.files.map((file) => [file.digest, file]))
  const missing = byDigest.values()
  let isFailed = false
  const work = async () => {
    for (const file of missing) {
      if (isFailed) return
      if (await cache.read(file.digest)) continue
      const copy = await copyIn(targets, wanted.name, file)
      if (copy) {
        await cache.write(file.digest, copy)
        continue
      }
      if (offline) throw new Error(`${plain(file.path)} (${file.digest}) is not in the cache.`)
      const asked = { registry, address: downloadFrom, version: locked.version }
      await cache.write(file.digest, await download(asked, file, wire))
    }
  }
  const failing = async () => {
    try {
      await work()
    } catch (error) {
      isFailed = true
      throw error
    }
  }
  await Promise.all(Array.from({ length: atOnce }, failing))
}

/** The bytes of a file where a folder of the skill has them at its path already. */
async function copyIn(targets: readonly Target[], name: string, file: ManifestFile) {
  for (const { base } of targets) {
    const path = join(base, name, file.path)
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isFile() || found.size !== file.size) continue
    const bytes = await readFile(path)
    if (digestOf(bytes) === file.digest) return bytes
  }
  return undefined
}

async function* filesOf(cache: Cache, files: readonly ManifestFile[]): AsyncIterable<StagedFile> {
  for (const { path, digest, executable } of files) {
    const bytes = await cache.read(digest)
    if (!bytes) throw new Error(`${path} (${digest}) is gone from the cache; try again.`)
    yield { path: join(...path.split('/')), bytes, executable }
  }
}
