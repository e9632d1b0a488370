import type { Dirent } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSkillFile } from '@skillpass/contract'
import { type IgnoreRules, keptIn, noRules } from './ignored.ts'
import { realWithin, refusalOf } from './links.ts'
import type { Refusal } from './types.ts'

export interface FoundFile {
  path: string
  /** Where its bytes are, without links. */
  real: string
  bytes: number
  /** What the folders above leave out of its own, which is taken whole; null for a file that was named itself. */
  rules: IgnoreRules | null
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
  await walk(realRoot, noRules)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))

  async function walk(folder: string, rules: IgnoreRules): Promise<void> {
    try {
      for (const { entry, below } of await keptIn(folder, rules)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) await walk(path, below)
        else if (isSkillFile(entry.name)) await look(path, entry, rules)
      }
    } catch (error) {
      found.push({ path: folder, ...refusalOf(error) })
    }
  }

  async function look(path: string, entry: Dirent, rules: IgnoreRules): Promise<void> {
    try {
      const real = await realWithin(realRoot, entry, path)
      // The target is found by its own name.
      if (real !== path && isSkillFile(basename(real))) return
      const info = await stat(real)
      if (info.isFile()) found.push({ path, real, bytes: info.size, rules })
    } catch (error) {
      found.push({ path, ...refusalOf(error) })
    }
  }
}
