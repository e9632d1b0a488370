import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, calledRegistry } from '../../client.ts'
import type { Wire } from '../../transport.ts'
import { plain, type Terminal } from '../command.ts'
import { fourAtATime } from '../four-at-a-time.ts'
import { type Cache, openCache } from './cache.ts'
import {
  changeLock,
  isSameEntry,
  type Lock,
  type LockEntry,
  type LockedVersion,
  readLock,
} from './lock.ts'
import type { ManifestFile } from './manifest.ts'
import { replaceFolders, type StagedFile } from './replace-folders.ts'
import { download } from './source.ts'
import { type Target, targetsOf } from './targets.ts'

/** A skill to install. */
export interface Wanted extends LockEntry {
  readonly name: string
  readonly locked: LockedVersion
  /** The address that the skill has moved to since; that of the lock stays what it is. */
  readonly downloadFrom?: string
}

/** A folder whose skills `skillpass.lock` names, and how it gets them. */
export interface Project {
  /** The folder, symbolic links resolved. */
  readonly project: string
  readonly lock: Lock
  readonly cache: Cache
  /** How the client that is asked calls its registry. */
  readonly wire: Wire
  readonly registry: string
}

/** Opens the project at `cwd`, or in the folder that the process works in. */
export async function openProject(
  client: Client,
  { cwd, env }: { readonly cwd?: string | undefined } & Pick<Terminal, 'env'>,
): Promise<Project> {
  const { address: registry, wire } = calledRegistry(client)
  const project = await realpath(cwd ?? process.cwd())
  return { project, lock: await readLock(project), cache: openCache({ env }), wire, registry }
}

/** A skill that is installed. */
export interface InstalledSkill {
  /** Name of its folders. */
  readonly name: string
  /** `owner/repo/skill`, the one that it has moved to where it has moved. */
  readonly address: string
  readonly registry: string
  readonly version: number
  /** Digest of the manifest of all its files. */
  readonly digest: string
  /** Its folders, as `.agents/skills/pdf-form-filler`. */
  readonly folders: readonly string[]
  /** Number of its files, SKILL.md among them. */
  readonly files: number
  /** Whether any folder had to be written. */
  readonly changed: boolean
}

/** What was done together: the skills, and what was replaced that this program had not installed, a line each. */
export interface Installation {
  readonly installed: InstalledSkill[]
  readonly replaced: string[]
}

/**
 * Installs skills together: every file is at hand and every folder written beside its place before the
 * first is replaced; then the lock is written. Whatever fails, folders and lock stay as they were.
 *
 * @param options `force` replaces what would be lost; `offline` asks no registry.
 */
export async function install(
  into: Project,
  wanted: readonly Wanted[],
  { force = false, offline = false },
): Promise<Installation> {
  const { project, lock, cache } = into
  const installed: InstalledSkill[] = []
  const outdated: { skill: Wanted; targets: Target[] }[] = []
  const replaced: string[] = []
  for (const skill of wanted) {
    const all = await targetsOf(project, skill, lock.get(skill.name), replaced)
    const targets = all.filter(({ isOld }) => isOld)
    if (targets.length > 0) outdated.push({ skill, targets })
    const { name, address, registry, locked } = skill
    const { version, digest, files } = locked
    const folders = all.map(({ shown }) => shown)
    const changed = targets.length > 0
    const what = { name, address, registry, version, digest }
    installed.push({ ...what, folders, files: files.length, changed })
  }
  if (replaced.length > 0 && !force) {
    const lost = replaced.map((loss) => `\n  ${loss}`).join('')
    throw new Error(`Nothing was changed, as this would be lost; --force replaces it:${lost}`)
  }
  for (const { skill } of outdated) await haveFiles(into, skill, offline)
  const replacements = outdated.flatMap(({ skill: { name, locked }, targets }) =>
    targets.map(({ base }) => ({ base, name, files: filesOf(cache, locked.files) })),
  )
  const changed = wanted.filter((skill) => !isSameEntry(skill.name, lock.get(skill.name), skill))
  await replaceFolders(replacements, async () => {
    const changes = new Map(changed.map((skill) => [skill.name, skill]))
    if (changes.size > 0) await changeLock(project, changes)
  })
  return { installed, replaced }
}

/** Brings every file of a skill into the cache. */
async function haveFiles({ cache, wire }: Project, skill: Wanted, offline: boolean) {
  const { registry, address, downloadFrom = address, locked } = skill
  const byDigest = new Map(locked.files.map((file) => [file.digest, file]))
  await fourAtATime(byDigest.values(), async (file) => {
    if (await cache.read(file.digest)) return
    if (offline) throw new Error(`${plain(file.path)} (${file.digest}) is not in the cache.`)
    const asked = { registry, address: downloadFrom, version: locked.version }
    await cache.write(file.digest, await download(asked, file, wire))
  })
}

async function* filesOf(cache: Cache, files: readonly ManifestFile[]): AsyncIterable<StagedFile> {
  for (const { path, digest, executable } of files) {
    const bytes = await cache.read(digest)
    if (!bytes) throw new Error(`${path} (${digest}) is gone from the cache; try again.`)
    yield { path: join(...path.split('/')), bytes, executable }
  }
}
