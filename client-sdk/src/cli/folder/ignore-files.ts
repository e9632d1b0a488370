import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type IgnoreRules, ignoreRules, isIgnored } from './gitignore.ts'

/** What holds in a folder, and how the paths that it is held against begin: with a slash at the end, or empty. */
export interface IgnoredAbove {
  readonly prefix: string
  readonly files: readonly IgnoreRules[]
}

/**
 * The rules that the git repository around a folder has for it. None where there is no repository, or
 * where it ignores the folder as a whole: who names such a folder means it.
 */
export async function ignoredAbove(folder: string): Promise<IgnoredAbove> {
  const none = { prefix: '', files: [] }
  const names: string[] = []
  let top = folder
  while (!(await isThere(join(top, '.git')))) {
    if (dirname(top) === top) return none
    names.unshift(basename(top))
    top = dirname(top)
  }
  const files = [await rulesIn(join(top, '.git', 'info', 'exclude'), '')].flat()
  let prefix = ''
  for (const name of names) {
    files.push(...(await rulesIn(join(top, prefix, '.gitignore'), prefix)))
    if (isIgnored(files, prefix + name, true)) return none
    prefix += `${name}/`
  }
  return { prefix, files }
}

/** The rules of a file; none where it is not there. */
export async function rulesIn(file: string, folder: string): Promise<IgnoreRules[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? [] : [ignoreRules(folder, text)]
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
