import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { leftOut } from '@skillpass/contract'
import ignore, { type Ignore } from 'ignore'

/** The rules of one `.gitignore`, which hold below its folder. */
interface RulesFile {
  /** The folder, as paths are told, with a slash at its end; empty for the topmost. */
  readonly folder: string
  readonly rules: Ignore
}

/** The `.gitignore` files that hold in a folder, from the topmost down, and how paths in it begin. */
export interface IgnoreRules {
  readonly prefix: string
  readonly files: readonly RulesFile[]
}

/**
 * What the git repository around a folder has it ignore. Nothing where there is no repository, or where
 * it ignores the folder as a whole: who names such a folder means it.
 */
export async function rulesAround(folder: string): Promise<IgnoreRules> {
  const names: string[] = []
  let top = folder
  while (!(await isThere(join(top, '.git')))) {
    if (dirname(top) === top) return none
    names.unshift(basename(top))
    top = dirname(top)
  }
  let rules: IgnoreRules = {
    prefix: '',
    files: await rulesFile(join(top, '.git', 'info', 'exclude'), ''),
  }
  for (const name of names) {
    rules = await rulesIn(join(top, rules.prefix), rules)
    if (isIgnored(rules, name, true)) return none
    rules = { ...rules, prefix: `${rules.prefix}${name}/` }
  }
  return rules
}

const none: IgnoreRules = { prefix: '', files: [] }

/** What git ignores in a folder: rules from above, and those that the folder brings itself. */
export const rulesIn = async (folder: string, rules: IgnoreRules): Promise<IgnoreRules> => ({
  ...rules,
  files: [...rules.files, ...(await rulesFile(join(folder, '.gitignore'), rules.prefix))],
})

/** The rules of a folder for one that lies in it. */
export const rulesBelow = (rules: IgnoreRules, name: string): IgnoreRules => ({
  ...rules,
  prefix: `${rules.prefix}${name}/`,
})

/** Whether something in a folder is left out: the file furthest down that names it decides, or else the defaults. */
export function isIgnored(
  { prefix, files }: IgnoreRules,
  name: string,
  isFolder: boolean,
): boolean {
  const entry = name + (isFolder ? '/' : '')
  const path = prefix + entry
  for (const { folder, rules } of files.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(folder.length))
    if (ignored || unignored) return ignored
  }
  return defaults.ignores(entry)
}

const ignoring = (text: string) => ignore({ ignorecase: false }).add(text)
const defaults = ignoring(leftOut)

async function rulesFile(path: string, folder: string): Promise<RulesFile[]> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? [] : [{ folder, rules: ignoring(text) }]
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
