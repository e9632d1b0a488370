import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { printable, UsageError } from '../command.ts'
import { unlessMissing } from '../errors.ts'
import { folderIssue, lockFile } from './lock.ts'

/** Returns the nearest folder with a lock, from `folder` up to the root of its git repository. */
export async function findProject(folder: string): Promise<string | undefined> {
  for (const each of await foldersAbove(await realpath(folder))) {
    if (await kindOf(join(each, lockFile))) return each
  }
  return undefined
}

/**
 * Returns a folder and its parents up to the root of its git repository. Without a repository,
 * returns only the folder, because a lock above it may belong to somebody else.
 */
async function foldersAbove(folder: string): Promise<string[]> {
  const folders = [folder]
  for (let at = folder; (await kindOf(join(at, '.git'))) === undefined; folders.push(at)) {
    if (dirname(at) === at) return [folder]
    at = dirname(at)
  }
  return folders
}

/** Returns the default folders for skills. Claude reads only `.claude/skills`. */
export async function defaultFolders(project: string): Promise<string[]> {
  const hasClaude = (await kindOf(join(project, '.claude'))) !== undefined
  return hasClaude ? ['.agents/skills', '.claude/skills'] : ['.agents/skills']
}

/**
 * Returns a folder relative to the project, as in the lock. Throws `UsageError` if it is outside
 * the project.
 */
export function projectFolder(project: string, to: string): string {
  const path = relative(project, resolve(project, to)).split(sep).join('/').normalize('NFC')
  const folder = path === '' ? '.' : path
  const issue = folder.startsWith('..') ? 'is not in the project' : folderIssue(folder)
  if (issue === undefined) return folder
  throw new UsageError(
    `"${printable(to)}" ${issue}. Choose a folder inside the one that holds skillpass.lock.`,
  )
}

/**
 * Returns the real path of a folder of the project. Throws if it is not a folder, or if a symbolic
 * link leads outside the project, so that nothing outside is ever written.
 */
export async function realFolder(project: string, folder: string): Promise<string> {
  let real = project
  const names = folder === '.' ? [] : folder.split('/')
  for (const [at, name] of names.entries()) {
    const path = join(real, name)
    const kind = await kindOf(path)
    if (kind === undefined) return join(real, ...names.slice(at))
    const target = await realpath(path).catch(() => undefined)
    const label = printable(names.slice(0, at + 1).join('/'))
    if (target === undefined) throw new Error(`${label} is a broken symbolic link.`)
    if (!isWithin(project, target)) {
      throw new Error(`${label} is a symbolic link to ${target}, outside the project.`)
    }
    if ((await kindOf(target)) !== 'folder') throw new Error(`${label} is not a folder.`)
    real = target
  }
  return real
}

/** Returns the real path of a skill in a folder of the project. */
export async function placeOf(project: string, folder: string, name: string): Promise<string> {
  const place = join(await realFolder(project, folder), name)
  if ((await kindOf(place)) !== 'link') return place
  const target = await realpath(place).catch(() => undefined)
  return target !== undefined && isWithin(project, target) ? target : place
}

const isWithin = (project: string, path: string) =>
  path === project || path.startsWith(project.endsWith(sep) ? project : project + sep)

/**
 * Returns what exists at a path, without following a symbolic link; undefined if nothing exists.
 */
export async function kindOf(
  path: string,
): Promise<'file' | 'folder' | 'link' | 'other' | undefined> {
  const found = await lstat(path).catch(unlessMissing)
  if (!found) return undefined
  if (found.isSymbolicLink()) return 'link'
  if (found.isDirectory()) return 'folder'
  return found.isFile() ? 'file' : 'other'
}
