import { utf8Length } from '../utf8-length.ts'

/** Where the files of a skill may stand in its folder, on every system that the folder may be written on. */

/** Longest path, bytes of UTF-8: what every file system and archive takes. */
const longestPath = 255

/** Names that Windows gives to devices, whatever stands behind their first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i

/** Whether Windows takes a name for that of a device. */
export const isDeviceName = (name: string): boolean =>
  deviceName.test(name.split('.', 1)[0]?.trimEnd() ?? '')

/** Controls, characters without a look of their own, and what Windows allows in no name. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"|?*\\]/u

/**
 * What is wrong with the path of a file, as the end of a sentence that begins with it; undefined where
 * nothing is. A path is relative to the folder of the skill, with `/` between its segments.
 */
export function filePathIssue(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (utf8Length(path) > longestPath) {
    return `must be at most ${longestPath} bytes of UTF-8`
  }
  if (path.startsWith('/')) return 'must be relative: it must not begin with /'
  if (path.includes('\\')) return 'must have / between its segments, not \\'
  if (unfit.test(path)) {
    return 'must not hold control or invisible characters, nor any of < > : " | ? *'
  }
  if (path.normalize('NFC') !== path) return 'must be in Unicode normalization form C'
  for (const segment of path.split('/')) {
    const issue = segmentIssue(segment)
    if (issue) return issue
  }
  return undefined
}

function segmentIssue(segment: string): string | undefined {
  if (segment === '') return 'must not have empty segments'
  if (segment === '.' || segment === '..') return 'must not have "." or ".." for a segment'
  if (/^\s|[\s.]$/.test(segment)) {
    return 'must not have segments that begin with a space or end with a space or a dot'
  }
  if (isDeviceName(segment)) {
    return 'must not have the name of a device, such as "con" or "lpt1"'
  }
  // Git runs what it finds there.
  if (/^(?:\.git|git~\d+)$/i.test(segment)) return 'must not stand in a .git folder'
  return undefined
}

/** Whether a file is a SKILL.md, in whatever case. */
export const isSkillFile = (name: string): boolean => name.toLowerCase() === readme

/** Folders, or the file of a worktree, in which version control keeps its own: no part of a skill. */
export const versionControl: ReadonlySet<string> = new Set([
  '.bzr',
  '.git',
  '.hg',
  '.jj',
  '.pijul',
  '.sl',
  '.svn',
  'CVS',
  '_darcs',
])

/** One path that cannot stand beside the others. */
export interface FilePathIssue {
  /** Which of the paths, from 0. */
  readonly index: number
  readonly message: string
}

/**
 * What is wrong with the paths of one skill together: a second SKILL.md, two that some file systems take
 * for one, a file where another path has a folder.
 */
export function filePathsIssues(paths: readonly string[]): FilePathIssue[] {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  const issues: FilePathIssue[] = []
  const clash = (path: string): string | undefined => {
    const key = folded(path)
    if (key === readme) return 'is the readme: send its text as readme'
    const twin = files.get(key)
    if (twin === path) return 'stands twice in the list'
    if (twin !== undefined) return `differs only in case from ${quoted(twin)}`
    if (folders.has(key)) return 'is the name of a folder, too'
    for (const folder of foldersOf(path)) {
      if (folded(folder) === readme) return `stands below ${quoted(folder)}, which is the readme`
      if (files.has(folded(folder))) return `stands below ${quoted(folder)}, which is a file`
      const other = folders.get(folded(folder))
      if (other !== undefined && other !== folder) {
        return `stands in a folder that differs only in case from ${quoted(other)}`
      }
    }
    return undefined
  }
  paths.forEach((path, index) => {
    const message = clash(path)
    if (message) {
      issues.push({ index, message })
      return
    }
    files.set(folded(path), path)
    for (const folder of foldersOf(path)) folders.set(folded(folder), folder)
  })
  return issues
}

/** Name of the readme as file systems compare it. */
const readme = 'skill.md'

/** `a/b/c` stands in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** As file systems compare that keep the case of names and do not look at it. */
const folded = (path: string): string => path.toUpperCase().toLowerCase()

const quoted = (path: string): string => JSON.stringify(path)

/**
 * Order of paths in a manifest: by their code points, which is the order of their bytes in UTF-8. The
 * default order of JavaScript puts characters beyond U+FFFF elsewhere.
 */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** A file as the digest of a manifest sees it. */
export interface ManifestLine {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
}

/** What the digest of a manifest is the SHA-256 of: a line for each file, in the order of their paths. */
export const manifestText = (files: readonly ManifestLine[]): string =>
  [...files]
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ path, digest, size, executable }) => {
      return `${digest} ${size} ${executable ? '0755' : '0644'} ${path}\n`
    })
    .join('')
