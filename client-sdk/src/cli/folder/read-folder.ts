import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  comparePaths,
  filePathIssue,
  filePathsIssues,
  type ManifestLine,
  versionControl,
} from '../../contract/registry/file-path.ts'
import { printable } from '../command.ts'
import { readmeOf } from '../skill-file.ts'
import { gitSymlinkTarget } from './git-symlink.ts'
import { generatedFiles, type IgnoreRules, isIgnored } from './gitignore.ts'
import { repositoryRules, rulesIn } from './ignore-files.ts'
import { secretsProblem } from './secrets.ts'

/** Limits of the registry for the files of a version, not counting SKILL.md. */
export const folderBounds = { files: 512, bytes: 16 * 1024 * 1024, fileBytes: 4 * 1024 * 1024 }

/** A published file other than SKILL.md. */
export interface PublishedFile extends ManifestLine {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Files of a folder other than SKILL.md. */
export interface PublishedFolder {
  readonly files: readonly PublishedFile[]
  /** Ignored files and folders. A folder has a trailing slash; its contents are not listed. */
  readonly ignored: readonly string[]
}

/** State of a folder traversal. */
interface Walk {
  /** The published folder, with symbolic links resolved. */
  readonly root: string
  /** Name of the file that is published as SKILL.md. */
  readonly readme: string
  /** Path of the folder in the repository around it, with a trailing slash. */
  readonly prefix: string
  /** Whether to include files that look like credentials. */
  readonly withSecrets: boolean
  readonly files: PublishedFile[]
  readonly ignored: string[]
  readonly problems: string[]
  bytes: number
  count: number
}

/**
 * Reads all files of a folder except SKILL.md and ignored files. Follows symbolic links within the
 * folder. Throws an error that lists everything that cannot be published.
 */
export async function readFolder(
  path: string,
  { withSecrets = false }: { withSecrets?: boolean } = {},
): Promise<PublishedFolder> {
  const root = await realpath(path)
  const above = await repositoryRules(root)
  const found: Walk = {
    root,
    readme: await readmeOf(root),
    prefix: above.prefix,
    withSecrets,
    files: [],
    ignored: [],
    problems: [],
    bytes: 0,
    count: 0,
  }
  const rules = [generatedFiles, ...above.files]
  await walk(found, { real: root, path: '', rules, ancestors: [root] })
  const { files, ignored, problems, bytes, count } = found
  const paths = files.map((file) => file.path)
  for (const { index, message } of filePathsIssues(paths)) {
    problems.push(`${paths[index]} ${message}`)
  }
  const { files: maxFiles, bytes: maxBytes } = folderBounds
  if (count > maxFiles) problems.unshift(`${count} files beside SKILL.md; the limit is ${maxFiles}`)
  if (bytes > maxBytes) {
    problems.unshift(`${bytes} bytes beside SKILL.md; the limit is ${maxBytes} (16 MiB)`)
  }
  if (problems.length > 0) throw new Error(sentence(path, problems))
  return { files: files.sort((one, other) => comparePaths(one.path, other.path)), ignored }
}

const maxShownProblems = 20

function sentence(path: string, problems: readonly string[]): string {
  const lines = problems.slice(0, maxShownProblems).map((problem) => `\n  ${printable(problem)}`)
  const more = problems.length - lines.length
  const rest = more > 0 ? `\n  and ${more} more` : ''
  return `${path} cannot be published:${lines.join('')}${rest}`
}

/** A folder of the traversal. */
interface Place {
  readonly real: string
  /** Published path with a trailing slash; empty for the top folder. */
  readonly path: string
  readonly rules: readonly IgnoreRules[]
  /** Real paths of this folder and its parents, to detect circular links. */
  readonly ancestors: readonly string[]
}

async function walk(found: Walk, place: Place): Promise<void> {
  const entries = await readdir(place.real, { withFileTypes: true })
  const added = await rulesIn(join(place.real, '.gitignore'), found.prefix + place.path)
  const rules = [...place.rules, ...added]
  for (const entry of entries.sort((one, other) => comparePaths(one.name, other.name))) {
    // The registry requires NFC. Some file systems return names in NFD.
    const path = place.path + entry.name.normalize('NFC')
    if (versionControl.has(entry.name)) continue
    // Git treats a symbolic link to a folder as a file.
    const isReadme = path === found.readme
    const inRepository = found.prefix + place.path + entry.name
    if (!isReadme && isIgnored(rules, inRepository, entry.isDirectory())) {
      found.ignored.push(entry.isDirectory() ? `${path}/` : path)
      continue
    }
    let real = join(place.real, entry.name)
    const link = entry.isSymbolicLink() ? real : await gitSymlinkTarget(real)
    if (link !== undefined) {
      const target = await targetWithin(found.root, link)
      if (target.problem !== undefined) {
        found.problems.push(`${path} ${target.problem}`)
        continue
      }
      real = target.real
    }
    if (isReadme) continue
    const kind = await stat(real)
    if (kind.isDirectory() && place.ancestors.includes(real)) {
      found.problems.push(`${path} is a circular link`)
    } else if (kind.isDirectory()) {
      const ancestors = [...place.ancestors, real]
      await walk(found, { real, path: `${path}/`, rules, ancestors })
    } else if (kind.isFile()) await addFile(found, path, real, kind)
    else found.problems.push(`${path} is neither a file nor a folder`)
  }
}

/**
 * Resolves a symbolic link. Reports a problem if the target is outside the folder or in version
 * control data.
 */
async function targetWithin(
  root: string,
  link: string,
): Promise<{ real: string; problem?: undefined } | { problem: string }> {
  const real = await realpath(link).catch(() => undefined)
  if (real === undefined) return { problem: 'is a broken link' }
  const within = relative(root, real)
  const names = within.split(sep)
  if (names[0] === '..' || join(root, within) !== real) {
    return { problem: `is a link to a place outside the folder: ${real}` }
  }
  return names.some((name) => versionControl.has(name))
    ? { problem: `is a link into version control data: ${within}` }
    : { real }
}

async function addFile(
  found: Walk,
  path: string,
  real: string,
  { size, mode }: Stats,
): Promise<void> {
  found.count++
  found.bytes += size
  const issue = filePathIssue(path)
  if (issue !== undefined) found.problems.push(`${path} ${issue}`)
  const maxFileBytes = folderBounds.fileBytes
  if (size > maxFileBytes) {
    found.problems.push(`${path} has ${size} bytes; the limit is ${maxFileBytes} (4 MiB)`)
    return
  }
  // Read no more files once a limit is exceeded.
  if (found.count > folderBounds.files || found.bytes > folderBounds.bytes) return
  const bytes = await readFile(real)
  const secrets = found.withSecrets ? undefined : secretsProblem(path, bytes)
  if (secrets !== undefined) {
    found.problems.push(`${path} ${secrets}`)
    return
  }
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const executable = (mode & 0o100) !== 0
  found.files.push({ path, digest, size: bytes.length, executable, bytes })
}
