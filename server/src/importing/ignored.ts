import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { comparePaths, defaultIgnores, versionControl } from '@skillpass/contract'
import ignore, { type Ignore } from 'ignore'

/** The `.gitignore` files that apply to a folder, outermost first, and the folder's path prefix. */
export interface IgnoreRules {
  readonly prefix: string
  /** Rules of each file, with its folder's path and a trailing slash. */
  readonly files: readonly { readonly folder: string; readonly rules: Ignore }[]
}

export const noRules: IgnoreRules = { prefix: '', files: [] }

/**
 * Lists the entries of a folder that are not ignored, sorted by name, with the rules that apply
 * below them. The innermost `.gitignore` with a matching rule decides, otherwise the defaults. As
 * in git, a link is never a folder.
 */
export async function listIncluded(folder: string, above: IgnoreRules) {
  const { prefix } = above
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined)
  const added = text === undefined ? [] : [{ folder: prefix, rules: ignoring(text) }]
  const files = [...above.files, ...added]
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
const defaults = ignoring(defaultIgnores)
