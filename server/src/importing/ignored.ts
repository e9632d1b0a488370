import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparePaths, leftOut, versionControl } from '@skillpass/contract'
import ignore, { type Ignore } from 'ignore'

/** The `.gitignore` files that hold in a folder, from the topmost down, and how paths in it begin. */
export interface IgnoreRules {
  readonly prefix: string
  /** The rules of each file, and the path of its folder with a slash at its end. */
  readonly files: readonly { readonly folder: string; readonly rules: Ignore }[]
}

/** What holds in the folder that is imported. */
export const noRules: IgnoreRules = { prefix: '', files: [] }

/** Something in a folder, and the rules that hold in it if it is a folder itself. */
interface Kept {
  readonly entry: Dirent
  readonly below: IgnoreRules
}

/**
 * What stands in a folder and is not left out, in the order of its names: the `.gitignore` furthest down that names
 * something decides, or else the defaults. To git a link is no folder, whatever it leads to.
 */
export async function keptIn(folder: string, above: IgnoreRules): Promise<Kept[]> {
  const { prefix } = above
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined)
  const own = text === undefined ? [] : [{ folder: prefix, rules: ignoring(text) }]
  const files = [...above.files, ...own]
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => {
      if (versionControl.has(entry.name)) return false
      const name = entry.name + (entry.isDirectory() ? '/' : '')
      return !isIgnored(files, prefix + name, name)
    })
    .sort((a, b) => comparePaths(a.name, b.name))
    .map((entry) => ({ entry, below: { prefix: `${prefix}${entry.name}/`, files } }))
}

function isIgnored(files: IgnoreRules['files'], path: string, name: string): boolean {
  for (const { folder, rules } of files.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(folder.length))
    if (ignored || unignored) return ignored
  }
  return defaults.ignores(name)
}

const ignoring = (text: string) => ignore({ ignorecase: false }).add(text)
const defaults = ignoring(leftOut)
