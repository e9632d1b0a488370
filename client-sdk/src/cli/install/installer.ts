import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, registryConnection } from '../../client.ts'
import type { ManifestLine } from '../../contract/registry/file-path.ts'
import { folderOf, printable, type Terminal } from '../command.ts'
import { fourAtATime } from '../four-at-a-time.ts'
import { credentialFor } from '../logins.ts'
import { type KeyedTransport, keyedTransport } from './bounded-get.ts'
import { type Cache, openCache } from './cache.ts'
import { findProject } from './folders.ts'
import {
  changeLock,
  isSameEntry,
  type Lock,
  type LockEntry,
  type LockedVersion,
  lockFile,
  readLock,
} from './lock.ts'
import { replaceFolders, type StagedFile } from './replace-folders.ts'
import { download } from './source.ts'
import { type Target, targetsOf } from './targets.ts'

/** A skill to install. */
export interface Wanted extends LockEntry {
  readonly name: string
  readonly locked: LockedVersion
  /** Current address of a moved skill. The lock keeps the original address. */
  readonly downloadFrom?: string
  readonly allowWithdrawn?: boolean | undefined
}

/** An opened project. */
export interface Project {
  /** Real path of the folder that holds `skillpass.lock`. */
  readonly project: string
  readonly lock: Lock
  readonly cache: Cache
  readonly transport: KeyedTransport
  readonly registry: string
}

/** Opens the project in a folder, which may have no lock yet. */
export async function openFolder(
  client: Client,
  folder: string,
  { env }: Pick<Terminal, 'env'>,
  keyOf?: KeyedTransport['keyOf'],
): Promise<Project> {
  const { address: registry } = registryConnection(client)
  const transport = keyedTransport(client, keyOf)
  const project = await realpath(folder)
  return { project, lock: await readLock(project), cache: openCache({ env }), transport, registry }
}

/** Opens the project of the working directory. Throws if it has no lock. */
export async function openProject(client: Client, terminal: Terminal): Promise<Project> {
  const folder = await findProject(folderOf(terminal))
  const keyOf = (registry: string) => credentialFor(terminal, registry)?.apiKey
  if (folder !== undefined) return openFolder(client, folder, terminal, keyOf)
  throw new Error(
    `This folder has no ${lockFile}, nor has a folder above it in its repository. To create it, install a skill with "skillpass add".`,
  )
}

export interface InstalledSkill {
  /** Folder name. */
  readonly name: string
  /** `owner/repo/skill`; the new address if the skill has moved. */
  readonly address: string
  readonly registry: string
  readonly version: number
  /** Digest of the manifest of all files. */
  readonly digest: string
  /** Folders, for example `.agents/skills/pdf-form-filler`. */
  readonly folders: readonly string[]
  /** Number of files, including SKILL.md. */
  readonly files: number
  /** Whether any folder was written. */
  readonly changed: boolean
}

/**
 * Installs skills together. Downloads all files and stages all folders before it replaces the first one, and
 * then writes the lock. If anything fails, folders and lock stay unchanged. Returns the skills, and the local
 * content that was replaced, one line each.
 *
 * @param options `force` overwrites local content; `offline` uses only the cache.
 */
export async function install(
  into: Project,
  wanted: readonly Wanted[],
  { force = false, offline = false },
) {
  const { project, lock, cache } = into
  const installed: InstalledSkill[] = []
  const outdated: { skill: Wanted; targets: Target[] }[] = []
  const replaced: string[] = []
  for (const skill of wanted) {
    const all = await targetsOf(project, skill, lock.get(skill.name), replaced)
    const targets = all.filter(({ mustWrite }) => mustWrite)
    if (targets.length > 0) outdated.push({ skill, targets })
    const { name, address, registry, locked } = skill
    const { version, digest, files } = locked
    const folders = all.map(({ label }) => label)
    const changed = targets.length > 0
    const what = { name, address, registry, version, digest }
    installed.push({ ...what, folders, files: files.length, changed })
  }
  if (replaced.length > 0 && !force) {
    const lost = replaced.map((loss) => `\n  ${loss}`).join('')
    throw new Error(
      `Nothing was changed, because local content would be lost. To overwrite it, use --force:${lost}`,
    )
  }
  for (const { skill } of outdated) await cacheFiles(into, skill, offline)
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

/** Downloads the files of a skill that are not in the cache. */
async function cacheFiles({ cache, transport }: Project, skill: Wanted, offline: boolean) {
  const { registry, address, downloadFrom = address, locked, allowWithdrawn } = skill
  const byDigest = new Map(locked.files.map((file) => [file.digest, file]))
  await fourAtATime(byDigest.values(), async (file) => {
    if (await cache.read(file.digest)) return
    if (offline) throw new Error(`${printable(file.path)} (${file.digest}) is not in the cache.`)
    const request = {
      ...{ registry, address: downloadFrom },
      ...{ version: locked.version, allowWithdrawn },
    }
    await cache.write(file.digest, await download(request, file, transport))
  })
}

async function* filesOf(cache: Cache, files: readonly ManifestLine[]): AsyncIterable<StagedFile> {
  for (const { path, digest, executable } of files) {
    const bytes = await cache.read(digest)
    if (!bytes) throw new Error(`${path} (${digest}) was removed from the cache. Try again.`)
    yield { path: join(...path.split('/')), bytes, executable }
  }
}
