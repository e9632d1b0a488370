import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type IgnoreRules, ignoreRules, isIgnored } from './gitignore.ts'

/**
 * Returns the ignore rules of the git repository around a folder, and the path of the folder in it,
 * with a trailing slash. Returns no rules outside a repository, or if the repository ignores the
 * folder itself, since the user chose that folder explicitly.
 */
export async function repositoryRules(folder: string) {
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

/** Reads the rules of a file; none if the file does not exist. */
export async function rulesIn(file: string, folder: string): Promise<IgnoreRules[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? [] : [ignoreRules(folder, text)]
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
