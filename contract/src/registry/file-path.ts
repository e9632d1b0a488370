import { utf8Length } from '../utf8-length.ts'

/**
 * Rules for the paths of a skill's files, so that every operating system can write the folder.
 */

/** Longest path in bytes of UTF-8 that every file system and archive format supports. */
const longestPath = 255

/** Windows device names. Windows ignores everything after the first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i

/** Whether Windows interprets a name as a device. */
export const isDeviceName = (name: string): boolean =>
  deviceName.test(name.split('.', 1)[0]?.trimEnd() ?? '')

/** Control and invisible characters, and characters that Windows forbids in names. */
const forbidden = /[\p{C}\p{Zl}\p{Zp}<>:"|?*\\]/u

/**
 * Returns the problem with a file's path as a predicate (`must not be empty`), or undefined if it
 * is valid. Paths are relative to the skill's folder and use `/`.
 */
export function filePathIssue(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (utf8Length(path) > longestPath) {
    return `must be at most ${longestPath} bytes of UTF-8`
  }
  if (path.startsWith('/')) return 'must be relative, without a / at the start'
  if (path.includes('\\')) return 'must separate segments with /, not \\'
  if (forbidden.test(path)) {
    return 'must not contain control or invisible characters or any of < > : " | ? *'
  }
  if (path.normalize('NFC') !== path) return 'must be in Unicode Normalization Form C'
  for (const segment of path.split('/')) {
    const issue = segmentIssue(segment)
    if (issue) return issue
  }
  return undefined
}

function segmentIssue(segment: string): string | undefined {
  if (segment === '') return 'must not contain empty segments'
  if (segment === '.' || segment === '..') return 'must not contain the segments "." or ".."'
  if (/^\s|[\s.]$/.test(segment)) {
    return 'must not contain segments that begin with a space or end with a space or a dot'
  }
  if (isDeviceName(segment)) {
    return 'must not contain a Windows device name such as "con" or "lpt1"'
  }
  // Git runs hooks from this folder.
  if (/^(?:\.git|git~\d+)$/i.test(segment)) return 'must not be in a .git folder'
  return undefined
}

/** Whether a file is a SKILL.md, in any case. */
export const isSkillFile = (name: string): boolean => name.toLowerCase() === readme

/**
 * Metadata folders of version control, or the file of a Git worktree. They are not part of a skill.
 */
export const versionControl: ReadonlySet<string> = new Set(
  '.bzr .git .hg .jj .pijul .sl .svn CVS _darcs'.split(' '),
)

/** A path that conflicts with another one. */
export interface FilePathIssue {
  /** Index of the path in the list. */
  readonly index: number
  readonly message: string
}

/**
 * Returns the conflicts among the paths of a skill: a second SKILL.md, two paths that some file
 * systems treat as equal, or a file at the path of a folder.
 */
export function filePathsIssues(paths: readonly string[]): FilePathIssue[] {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  const issues: FilePathIssue[] = []
  const findConflict = (path: string): string | undefined => {
    const key = caseFolded(path)
    if (key === readme) return 'is the readme. Send its text in the field readme'
    const equal = files.get(key)
    if (equal === path) return 'is in the list twice'
    if (equal !== undefined) return `differs only in case from ${quoted(equal)}`
    if (folders.has(key)) return 'is also the name of a folder'
    for (const folder of foldersOf(path)) {
      if (caseFolded(folder) === readme) return `is below ${quoted(folder)}, which is the readme`
      if (files.has(caseFolded(folder))) return `is below ${quoted(folder)}, which is a file`
      const other = folders.get(caseFolded(folder))
      if (other !== undefined && other !== folder) {
        return `is in a folder that differs only in case from ${quoted(other)}`
      }
    }
    return undefined
  }
  paths.forEach((path, index) => {
    const message = findConflict(path)
    if (message) {
      issues.push({ index, message })
      return
    }
    files.set(caseFolded(path), path)
    for (const folder of foldersOf(path)) folders.set(caseFolded(folder), folder)
  })
  return issues
}

/** Case-folded name of the readme. */
const readme = 'skill.md'

/** Returns the folders that contain a path: `a` and `a/b` for `a/b/c`. */
function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Folds case like a case-insensitive file system. */
const caseFolded = (path: string): string => path.toUpperCase().toLowerCase()

const quoted = (path: string): string => JSON.stringify(path)

/**
 * Compares paths by code points, which is the order of their UTF-8 bytes. JavaScript's default
 * order differs for characters above U+FFFF.
 */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** A file of a manifest. */
export interface ManifestLine {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
}

/** Returns the text that a manifest's digest covers: a line for each file, sorted by path. */
export const manifestText = (files: readonly ManifestLine[]): string =>
  [...files]
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ path, digest, size, executable }) => {
      return `${digest} ${size} ${executable ? '0755' : '0644'} ${path}\n`
    })
    .join('')
