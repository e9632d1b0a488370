import { createHash } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import {
  bounds,
  comparePaths,
  defaultIgnores,
  filePathIssue,
  filePathsIssues,
  isSkillFile,
  versionControl,
} from '@skillpass/contract'
import ignore, { type Ignore } from 'ignore'
import { errorCode } from '../../errors/error-code.ts'
import type { DiskFile, Refusal } from './import-item.ts'

type ListedFile = Omit<DiskFile, 'digest'>

/**
 * Lists the files of a skill's folder except its readme: the files that git would include, and
 * targets of symbolic links within the folder. Returns a refusal for the first invalid file.
 *
 * @param readme file name of the readme
 */
export async function readSkillFolder(
  folder: string,
  readme: string,
  rules: IgnoreRules = noRules,
): Promise<DiskFile[] | Refusal> {
  try {
    const found = await filesIn(await realpath(folder), readme, rules)
    const paths = found.map(({ path }) => path)
    const [twin] = filePathsIssues(paths)
    if (twin) throw new Refused('bad-path', `${quoted(paths[twin.index] ?? '')} ${twin.message}`)
    const files: DiskFile[] = []
    for (const file of found) files.push({ ...file, digest: await digestOf(file.real) })
    return files.sort((a, b) => comparePaths(a.path, b.path))
  } catch (error) {
    const { rule, message } = refusalOf(error)
    return {
      rule,
      message: rule === 'unreadable' ? `another file of the skill: ${message}` : message,
    }
  }
}

async function filesIn(root: string, readme: string, rules: IgnoreRules): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  let bytes = 0
  await walk(root, '', rules, [root])
  return files

  /** Walks a folder. `around` are the real paths of its parents, to detect circular links. */
  async function walk(
    folder: string,
    prefix: string,
    rules: IgnoreRules,
    around: readonly string[],
  ): Promise<void> {
    for (const { entry, below } of await listIncluded(folder, rules)) {
      // The registry uses NFC. Some file systems return decomposed names.
      const path = prefix + entry.name.normalize('NFC')
      if (path === readme) continue
      const real = await realWithin(root, entry, path)
      const kind = await stat(real)
      if (kind.isDirectory()) {
        if (around.includes(real)) {
          throw new Refused('link-circle', `${quoted(path)} is a circular link`)
        }
        await walk(real, `${path}/`, below, [...around, real])
      } else if (kind.isFile()) {
        addFile({ path, real, size: kind.size, executable: (kind.mode & 0o100) !== 0 })
      } else throw new Refused('unknown-kind', `${quoted(path)} is neither a file nor a folder`)
    }
  }

  function addFile(file: ListedFile): void {
    const { path, size } = file
    const issue = filePathIssue(path)
    if (issue !== undefined) throw new Refused('bad-path', `${quoted(path)} ${issue}`)
    if (size > bounds.blobBytes) {
      const message = `${quoted(path)} has ${size} bytes; the limit is ${bounds.blobBytes}`
      throw new Refused('file-too-large', message)
    }
    bytes += size
    if (files.push(file) > bounds.files) {
      const message = `the skill has more than ${bounds.files} files besides its readme`
      throw new Refused('too-many-files', message)
    }
    if (bytes > bounds.bundleBytes) {
      const message = `the files besides the readme have more than ${bounds.bundleBytes} bytes`
      throw new Refused('folder-too-large', message)
    }
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `sha256:${hash.digest('hex')}`
}

const quoted = (path: string) => JSON.stringify(path)

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

/** The `.gitignore` files that apply to a folder, outermost first, and the folder's path prefix. */
interface IgnoreRules {
  readonly prefix: string
  /** Rules of each file, with its folder's path and a trailing slash. */
  readonly files: readonly { readonly folder: string; readonly rules: Ignore }[]
}

const noRules: IgnoreRules = { prefix: '', files: [] }

/**
 * Lists the entries of a folder that are not ignored, sorted by name, with the rules that apply
 * below them. The innermost `.gitignore` with a matching rule decides, otherwise the defaults. As
 * in git, a link is never a folder.
 */
async function listIncluded(folder: string, above: IgnoreRules) {
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

/** Stops a walk with the refusal of a skill. */
class Refused extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return { rule: error.rule, message: error.message }
  return { rule: 'unreadable', message: reason(error) }
}

/** Returns the system's error code, such as `EACCES` or `ENOENT`, or the message. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  return errorCode(error) || error.message
}

/**
 * Returns the real path of an entry. A link must lead to a place within `root` and outside version
 * control. `path` is shown in refusals.
 */
async function realWithin(root: string, entry: Dirent, path: string): Promise<string> {
  const here = join(entry.parentPath, entry.name)
  if (!entry.isSymbolicLink()) return here
  const quoted = JSON.stringify(path)
  const real = await realpath(here).catch(() => {
    throw new Refused('link-broken', `${quoted} is a broken link`)
  })
  const names = relative(root, real).split(sep)
  if (names[0] === '..' || join(root, ...names) !== real) {
    throw new Refused('link-outside', `${quoted} is a link to a place outside the folder`)
  }
  if (names.some((name) => versionControl.has(name))) {
    throw new Refused('link-outside', `${quoted} is a link into ${names[0]}`)
  }
  return real
}
