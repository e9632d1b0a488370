import { lstat, realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { plain, UsageError } from '../command.ts'
import { unlessMissing } from '../errors.ts'
import { folderIssue } from './lock.ts'

/** Where skills go by default. Claude reads a folder of its own. */
export async function defaultFolders(project: string): Promise<string[]> {
  const hasClaude = (await kindOf(join(project, '.claude'))) !== undefined
  return hasClaude ? ['.agents/skills', '.claude/skills'] : ['.agents/skills']
}

/** A folder of the project, as the lock tells it. Throws `UsageError` where it is not in the project. */
export function folderFrom(project: string, to: string): string {
  const path = relative(project, resolve(project, to)).split(sep).join('/').normalize('NFC')
  const folder = path === '' ? '.' : path
  const issue = folder.startsWith('..') ? 'is not in the project' : folderIssue(folder)
  if (issue === undefined) return folder
  throw new UsageError(
    `"${plain(to)}" ${issue}: name a folder below the one that is to hold skillpass.lock.`,
  )
}

/**
 * Where a folder of the project is, symbolic links resolved. Throws where it is no folder, or a link
 * leads out of the project: nothing outside it is ever written.
 */
export async function realFolder(project: string, folder: string): Promise<string> {
  let real = project
  const names = folder === '.' ? [] : folder.split('/')
  for (const [at, name] of names.entries()) {
    const path = join(real, name)
    const kind = await kindOf(path)
    if (kind === undefined) return join(real, ...names.slice(at))
    const there = await realpath(path).catch(() => undefined)
    const shown = plain(names.slice(0, at + 1).join('/'))
    if (there === undefined) throw new Error(`${shown} is a symbolic link that leads nowhere.`)
    if (!isWithin(project, there)) {
      throw new Error(`${shown} is a symbolic link that leads out of the project, to ${there}.`)
    }
    if ((await kindOf(there)) !== 'folder') throw new Error(`${shown} is not a folder.`)
    real = there
  }
  return real
}

/** The folder of a skill in a folder of the project; where a link stands for it, what that leads to. */
export async function placeOf(project: string, folder: string, name: string): Promise<string> {
  const place = join(await realFolder(project, folder), name)
  if ((await kindOf(place)) !== 'link') return place
  const there = await realpath(place).catch(() => undefined)
  return there !== undefined && isWithin(project, there) ? there : place
}

const isWithin = (project: string, path: string) =>
  path === project || path.startsWith(project.endsWith(sep) ? project : project + sep)

/** What is at a path, not following a link; undefined where nothing is. */
export async function kindOf(
  path: string,
): Promise<'file' | 'folder' | 'link' | 'other' | undefined> {
  const found = await lstat(path).catch(unlessMissing)
  if (!found) return undefined
  if (found.isSymbolicLink()) return 'link'
  if (found.isDirectory()) return 'folder'
  return found.isFile() ? 'file' : 'other'
}
