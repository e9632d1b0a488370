import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSkillFile, versionControl } from '@skillpass/contract'
import { isIgnored, rulesAround, rulesBelow, rulesIn } from './ignored.ts'
import { realWithin, refusalOf } from './links.ts'
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
      found.push({ path: folder, ...refusalOf(entries) })
      continue
    }
    const rules = await rulesIn(folder, above)
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (isIgnored(rules, entry.name, entry.isDirectory())) continue
      if (entry.isDirectory() && !versionControl.has(entry.name)) {
        folders.push({ folder: join(folder, entry.name), above: rulesBelow(rules, entry.name) })
      } else if (isSkillFile(entry.name) && !entry.isDirectory()) {
        const file = await foundFile(entry, realRoot)
        if (file) found.push(file)
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function foundFile(entry: Dirent, root: string): Promise<WalkedFile | null> {
  const path = join(entry.parentPath, entry.name)
  try {
    const real = await realWithin(root, entry, path)
    // The target is found by its own name.
    if (real !== path && isSkillFile(basename(real))) return null
    const info = await stat(real)
    return info.isFile() ? { path, real, bytes: info.size } : null
  } catch (error) {
    return { path, ...refusalOf(error) }
  }
}
