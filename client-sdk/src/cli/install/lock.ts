import { type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addressOf } from '../../client.ts'
import { comparePaths, filePathIssue, versionControl } from '../../contract/registry/file-path.ts'
import { fieldsOf, jsonIn, numberIn, textIn } from '../../read.ts'
import { plain } from '../command.ts'
import { hasCode, unlessMissing } from '../errors.ts'
import { checkFiles, fileLine, isDigest, type ManifestFile } from './manifest.ts'
import { isSegment } from './source.ts'

/** Name of the lock file, in the project's folder. */
export const lockFile = 'skillpass.lock'

const lockfileVersion = 1

/** A skill as the lock names it, by the name of its folder. */
export interface LockEntry {
  readonly address: string
  readonly registry: string
  /** Folders of the project that hold a folder of the skill's name. */
  readonly folders: readonly string[]
  /** What is installed; undefined where somebody wrote the address alone. */
  readonly locked?: LockedVersion | undefined
}

/** The version that the lock names, with everything in it. */
export interface LockedVersion {
  readonly version: number
  readonly digest: string
  readonly files: readonly ManifestFile[]
}

/** Skills by name. */
export type Lock = ReadonlyMap<string, LockEntry>

/** Whether a skill of this name can have a folder of that name. */
export const isSkillName = (name: string): boolean =>
  /^[a-z0-9-]{1,100}$/.test(name) && filePathIssue(name) === undefined

/** What is wrong with a folder of the project, as the lock tells it; undefined where nothing is. */
export function folderIssue(folder: string): string | undefined {
  if (folder === '.') return undefined
  if (folder.split('/').some((name) => versionControl.has(name))) return 'is of version control'
  return filePathIssue(folder)
}

/** Reads the lock of a project; empty where there is none. Throws where it is not to be relied on. */
export async function readLock(project: string): Promise<Lock> {
  const text = await readFile(join(project, lockFile), 'utf8').catch(unlessMissing)
  if (text === undefined) return new Map()
  const lock = fieldsOf(parsed(text))
  const version = numberIn(lock, 'lockfileVersion')
  if (version !== lockfileVersion) {
    const made = version === undefined ? 'has no lockfileVersion' : `is of version ${version}`
    throw new Error(`${lockFile} ${made}; this program reads version ${lockfileVersion}.`)
  }
  return new Map(
    Object.entries(fieldsOf(lock.skills)).map(([name, entry]) => [name, readEntry(name, entry)]),
  )
}

function parsed(text: string): unknown {
  if (/^(<{7}|={7}|>{7})/m.test(text)) {
    throw new Error(`${lockFile} holds the marks of a merge conflict: solve it first.`)
  }
  const lock = jsonIn(text)
  if (lock === undefined) throw new Error(`${lockFile} is no JSON.`)
  return lock
}

/** The file may come from others, as the rest of a project: nothing in it is taken on trust. */
function readEntry(name: string, entry: unknown): LockEntry {
  const refuse = (why: string) => new Error(`${lockFile}: ${plain(name)} ${why}.`)
  if (!isSkillName(name)) throw refuse('cannot be the name of a skill')
  const fields = fieldsOf(entry)
  const address = textIn(fields, 'address') ?? ''
  const registry = textIn(fields, 'registry') ?? ''
  const { folders = [] } = fields
  const parts = address.split('/')
  if (parts.length !== 3 || !parts.every(isSegment)) throw refuse('has no address owner/repo/skill')
  if (!Array.isArray(folders) || folders.length > 20) throw refuse('has no list of folders')
  for (const folder of folders) {
    const issue = typeof folder === 'string' ? folderIssue(folder) : 'is no text'
    if (issue) throw refuse(`has the folder "${plain(String(folder))}", which ${issue}`)
  }
  const common = { address, registry: registryFrom(registry, name), folders: folders.map(String) }
  if (fields.version === undefined && fields.digest === undefined) return common
  const version = numberIn(fields, 'version') ?? 0
  if (!Number.isSafeInteger(version) || version < 1) throw refuse('has no version')
  if (!isDigest(fields.digest)) throw refuse('has no digest')
  const files = Object.entries(fieldsOf(fields.files)).map(([path, line]) => {
    const file = fileFrom(path, line)
    const issue = file ? filePathIssue(path) : 'has no digest, size and mode'
    if (!file || issue) throw refuse(`has the path "${plain(path)}", which ${issue}`)
    return file
  })
  const digest = checkFiles(files, fields.digest, `${plain(address)} in ${lockFile}`)
  return { ...common, locked: { version, digest, files } }
}

function registryFrom(text: string, name: string): string {
  try {
    return addressOf('registry', text)
  } catch {
    throw new Error(`${lockFile}: ${name} has no registry with an http or https address.`)
  }
}

function fileFrom(path: string, line: unknown): ManifestFile | undefined {
  const [, digest = '', size, mode] =
    /^(sha256:[0-9a-f]{64}) (\d{1,9}) (0755|0644)$/.exec(String(line)) ?? []
  return size === undefined
    ? undefined
    : { path, digest, size: Number(size), executable: mode === '0755' }
}

/**
 * Changes the lock of a project: what is there now, with these skills in place of those of their names,
 * and without those that are undefined. Runs at the same time change it one after the other, and a crash
 * leaves the old or the new one.
 */
export async function changeLock(
  project: string,
  changes: ReadonlyMap<string, LockEntry | undefined>,
): Promise<void> {
  const path = join(project, lockFile)
  const next = `${path}.new`
  const file = await openAlone(next)
  try {
    const lock = new Map(await readLock(project))
    for (const [name, entry] of changes) {
      if (entry) lock.set(name, entry)
      else lock.delete(name)
    }
    await file.writeFile(written(lock))
    await file.close()
    await rename(next, path)
  } catch (error) {
    await file.close()
    await rm(next, { force: true })
    throw error
  }
}

/** Milliseconds after which a lock that is being written was left by a run that was killed. */
const longestWrite = 3_000

/** Makes a file that no other run has, however long that takes. */
async function openAlone(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx')
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    // Not `stat`: a link that leads nowhere is there, too.
    const found = await lstat(path).catch(() => undefined)
    const age = found && Math.abs(Date.now() - found.mtimeMs)
    if (age !== undefined && age > longestWrite) await rm(path, { force: true })
    else await pause(20)
  }
}

/** Names and paths in order, a line for each file: two branches that add skills merge without a conflict. */
function written(lock: Lock): string {
  const skills = [...lock].sort(([one], [other]) => comparePaths(one, other)).map(entryOf)
  return `${JSON.stringify({ lockfileVersion, skills: Object.fromEntries(skills) }, null, 2)}\n`
}

/** Whether the lock would tell the same of both. */
export const isSameEntry = (name: string, one: LockEntry | undefined, other: LockEntry): boolean =>
  one !== undefined && written(new Map([[name, one]])) === written(new Map([[name, other]]))

function entryOf([name, { address, registry, folders, locked }]: [string, LockEntry]) {
  const version = locked && {
    version: locked.version,
    digest: locked.digest,
    files: Object.fromEntries(
      locked.files
        .toSorted((one, other) => comparePaths(one.path, other.path))
        .map((file) => [file.path, fileLine(file)]),
    ),
  }
  return [name, { address, registry, folders, ...version }] as const
}
