import type { Dirent } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSkillFile } from '@skillpass/contract'
import { type IgnoreRules, listIncluded, noRules } from './ignored.ts'
import { realWithin, refusalOf } from './links.ts'
import type { Refusal } from './types.ts'

export interface FoundFile {
  path: string
  /** Real path, without symbolic links. */
  real: string
  bytes: number
  /**
   * Ignore rules for the skill's folder, which is imported with the file. Null if the path names
   * the file.
   */
  rules: IgnoreRules | null
}

type WalkedFile = FoundFile | ({ path: string } & Refusal)

/**
 * Finds the SKILL.md files below a folder that are not ignored, in sorted order. Does not enter
 * linked folders: their targets are elsewhere in the folder, outside it, or circular. Includes a
 * linked SKILL.md if its target is in the folder under another name.
 */
export async function findSkillFiles(root: string): Promise<WalkedFile[]> {
  const realRoot = await realpath(root)
  const found: WalkedFile[] = []
  await walk(realRoot, noRules)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))

  async function walk(folder: string, rules: IgnoreRules): Promise<void> {
    try {
      for (const { entry, below } of await listIncluded(folder, rules)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) await walk(path, below)
        else if (isSkillFile(entry.name)) await addFile(path, entry, rules)
      }
    } catch (error) {
      found.push({ path: folder, ...refusalOf(error) })
    }
  }

  async function addFile(path: string, entry: Dirent, rules: IgnoreRules): Promise<void> {
    try {
      const real = await realWithin(realRoot, entry, path)
      // The walk finds the target itself.
      if (real !== path && isSkillFile(basename(real))) return
      const info = await stat(real)
      if (info.isFile()) found.push({ path, real, bytes: info.size, rules })
    } catch (error) {
      found.push({ path, ...refusalOf(error) })
    }
  }
}
