import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { isSkillFile, versionControl } from '@skillpass/contract'
import { errorCode } from '../errors/error-code.ts'
import { isIgnored, rulesAround, rulesBelow, rulesIn } from './ignored.ts'
import { pointedFrom } from './pointer.ts'
import type { Refusal } from './types.ts'

export interface FoundFile {
  path: string
  /** Where its bytes are, without links. */
  real: string
  bytes: number
}

type WalkedFile = FoundFile | ({ path: string } & Refusal)

/**
 * Finds the SKILL.md files below a folder that are not left out, in sorted order. Linked folders
 * are not entered: what they show stands elsewhere in the folder, or leads out of it, or in a circle. A
 * linked SKILL.md counts when its target lies within the folder under another name.
 */
export async function findSkillFiles(root: string): Promise<WalkedFile[]> {
  const realRoot = await realpath(root)
  const found: WalkedFile[] = []
  const folders = [{ folder: realRoot, above: await rulesAround(realRoot) }]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { folder, above } = next
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => error)
    if (entries instanceof Error) {
      found.push({ path: folder, rule: 'unreadable', message: reason(entries) })
      continue
    }
    const rules = await rulesIn(folder, above)
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (isIgnored(rules, entry.name, entry.isDirectory())) continue
      if (entry.isDirectory() && !versionControl.has(entry.name)) {
        folders.push({ folder: path, above: rulesBelow(rules, entry.name) })
      } else if (isSkillFile(entry.name) && !entry.isDirectory()) {
        const file = await foundFile(path, realRoot)
        if (file) found.push(file)
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function foundFile(path: string, root: string): Promise<WalkedFile | null> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink()
    const pointed = isLink ? path : await pointedFrom(path)
    const real = pointed === undefined ? path : await realpath(pointed)
    if (pointed !== undefined) {
      const way = relative(root, real)
      if (way === '..' || way.startsWith(`..${sep}`)) {
        return { path, rule: 'link-outside', message: 'a link that leads out of the folder' }
      }
      // The target is found by its own name.
      if (isSkillFile(basename(real))) return null
    }
    const info = await stat(real)
    return info.isFile() ? { path, real, bytes: info.size } : null
  } catch (error) {
    return { path, rule: 'unreadable', message: reason(error) }
  }
}

/** The system's own word for why a file cannot be read, such as `EACCES` or `ENOENT`. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  return errorCode(error) || error.message
}
