import { type FileHandle, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addressOf } from '../../client.ts'
import {
  comparePaths,
  filePathIssue,
  type ManifestLine,
  versionControl,
} from '../../contract/registry/file-path.ts'
import { asRecord, numberField, parseJson, stringField } from '../../untrusted.ts'
import { printable } from '../command.ts'
import { hasCode, unlessMissing } from '../errors.ts'
import { checkFiles, fileLine, isDigest } from './manifest.ts'
import { isSegment } from './source.ts'

export const lockFile = 'skillpass.lock'

const lockfileVersion = 1

/** A skill of the lock. */
export interface LockEntry {
  readonly address: string
  readonly registry: string
  /** The label, range or dist-tag that "skillpass update" stays within. */
  readonly at?: string | undefined
  /** Folders of the project that contain the folder of the skill. */
  readonly folders: readonly string[]
  /** Installed version; undefined if a user added only the address. */
  readonly locked?: LockedVersion | undefined
}

/** A locked version with its files. */
export interface LockedVersion {
  readonly version: number
  readonly digest: string
  readonly files: readonly ManifestLine[]
}

/** Entries by folder name of the skill. */
export type Lock = ReadonlyMap<string, LockEntry>

/** Returns whether a text can be a label, a range of labels or a dist-tag. */
export const isSelector = (text: string): boolean => /^[\w.^~<>=*|+ -]{1,100}$/.test(text)

/** Returns whether a name is valid as the folder name of a skill. */
export const isSkillName = (name: string): boolean =>
  /^[a-z0-9-]{1,100}$/.test(name) && filePathIssue(name) === undefined

/**
 * Returns why a folder of the lock is invalid, as the end of a sentence; undefined if it is valid.
 */
export function folderIssue(folder: string): string | undefined {
  if (folder === '.') return undefined
  if (folder.split('/').some((name) => versionControl.has(name))) {
    return 'is in a folder of version control'
  }
  return filePathIssue(folder)
}

/** Reads the lock of a project; empty without a lock file. Throws if the file is invalid. */
export async function readLock(project: string): Promise<Lock> {
  const path = join(project, lockFile)
  if (!(await lstat(path).catch(unlessMissing))) return new Map()
  const found = await stat(path).catch(unlessMissing)
  if (!found) throw new Error(`${lockFile} is a broken symbolic link.`)
  if (!found.isFile()) throw new Error(`${lockFile} is not a file.`)
  const lock = asRecord(parsed(await readFile(path, 'utf8')))
  const version = numberField(lock, 'lockfileVersion')
  if (version !== lockfileVersion) {
    const problem = version === undefined ? 'has no lockfileVersion' : `has version ${version}`
    throw new Error(`${lockFile} ${problem}. This program supports version ${lockfileVersion}.`)
  }
  if (asRecord(lock.skills) !== lock.skills) throw new Error(`${lockFile} has no object "skills".`)
  return new Map(
    Object.entries(asRecord(lock.skills)).map(([name, entry]) => [name, readEntry(name, entry)]),
  )
}

function parsed(text: string): unknown {
  if (/^(<{7}|={7}|>{7})/m.test(text)) {
    throw new Error(`${lockFile} has merge conflict markers. Resolve the conflict first.`)
  }
  const lock = parseJson(text)
  if (lock === undefined) throw new Error(`${lockFile} is not JSON.`)
  return lock
}

/** Validates an entry. The lock is untrusted input, since it may come from a cloned repository. */
function readEntry(name: string, entry: unknown): LockEntry {
  const refuse = (why: string) => new Error(`${lockFile}: ${printable(name)} ${why}.`)
  if (!isSkillName(name)) throw refuse('cannot be the name of a skill')
  const fields = asRecord(entry)
  const address = stringField(fields, 'address') ?? ''
  const registry = stringField(fields, 'registry') ?? ''
  const { folders = [] } = fields
  const parts = address.split('/')
  if (parts.length !== 3 || !parts.every(isSegment)) throw refuse('has no address owner/repo/skill')
  if (!Array.isArray(folders) || folders.length > 20) throw refuse('has no list of folders')
  for (const folder of folders) {
    const issue = typeof folder === 'string' ? folderIssue(folder) : 'is not a string'
    if (issue) throw refuse(`has the folder "${printable(String(folder))}", which ${issue}`)
  }
  const at = stringField(fields, 'at')
  if (at !== undefined && !isSelector(at)) throw refuse('has no valid "at"')
  const from = { address, registry: registryFrom(registry, name), ...(at !== undefined && { at }) }
  const common = { ...from, folders: folders.map(String) }
  if (fields.version === undefined && fields.digest === undefined) return common
  const version = numberField(fields, 'version') ?? 0
  if (!Number.isSafeInteger(version) || version < 1) throw refuse('has no version')
  if (!isDigest(fields.digest)) throw refuse('has no digest')
  const files = Object.entries(asRecord(fields.files)).map(([path, line]) => {
    const file = fileFrom(path, line)
    const issue = file ? filePathIssue(path) : 'has no digest, size and mode'
    if (!file || issue) throw refuse(`has the path "${printable(path)}", which ${issue}`)
    return file
  })
  const digest = checkFiles(files, fields.digest, `${printable(address)} in ${lockFile}`)
  return { ...common, locked: { version, digest, files } }
}

function registryFrom(text: string, name: string): string {
  try {
    return addressOf('registry', text)
  } catch {
    throw new Error(`${lockFile}: ${name} has no registry with an http or https address.`)
  }
}

function fileFrom(path: string, line: unknown): ManifestLine | undefined {
  const [, digest = '', size, mode] =
    /^(sha256:[0-9a-f]{64}) (\d{1,9}) (0755|0644)$/.exec(String(line)) ?? []
  return size === undefined
    ? undefined
    : { path, digest, size: Number(size), executable: mode === '0755' }
}

/**
 * Sets entries of the lock, and deletes those that are undefined. Concurrent runs are serialized,
 * and a crash leaves either the old or the new lock.
 */
export async function changeLock(
  project: string,
  changes: ReadonlyMap<string, LockEntry | undefined>,
): Promise<void> {
  const path = join(project, lockFile)
  const next = `${path}.new`
  const file = await openExclusively(next)
  try {
    const lock = new Map(await readLock(project))
    for (const [name, entry] of changes) {
      if (entry) lock.set(name, entry)
      else lock.delete(name)
    }
    await file.writeFile(serialized(lock))
    await file.close()
    await rename(next, path)
  } catch (error) {
    await file.close()
    await rm(next, { force: true })
    throw error
  }
}

/** Milliseconds after which a temporary lock file belongs to a killed run. */
const staleAfterMs = 3_000

/** Creates a file, and waits while another run has it. */
async function openExclusively(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx')
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    // Unlike `stat`, `lstat` also finds a broken symbolic link.
    const found = await lstat(path).catch(() => undefined)
    const age = found && Math.abs(Date.now() - found.mtimeMs)
    if (age !== undefined && age > staleAfterMs) await rm(path, { force: true })
    else await pause(20)
  }
}

/**
 * Serializes the lock with sorted names and one line per file, so that branches merge without
 * conflicts.
 */
function serialized(lock: Lock): string {
  const skills = [...lock].sort(([one], [other]) => comparePaths(one, other)).map(entryOf)
  return `${JSON.stringify({ lockfileVersion, skills: Object.fromEntries(skills) }, null, 2)}\n`
}

/** Returns whether two entries are equal in the lock. */
export const isSameEntry = (name: string, one: LockEntry | undefined, other: LockEntry): boolean =>
  one !== undefined && serialized(new Map([[name, one]])) === serialized(new Map([[name, other]]))

function entryOf([name, { address, registry, at, folders, locked }]: [string, LockEntry]) {
  const version = locked && {
    version: locked.version,
    digest: locked.digest,
    files: Object.fromEntries(
      locked.files
        .toSorted((one, other) => comparePaths(one.path, other.path))
        .map((file) => [file.path, fileLine(file)]),
    ),
  }
  const from = { address, registry, ...(at !== undefined && { at }) }
  return [name, { ...from, folders, ...version }] as const
}
