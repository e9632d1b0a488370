import { createHash } from 'node:crypto'
import {
  comparePaths,
  filePathIssue,
  filePathsIssues,
  type ManifestLine,
  manifestText,
} from '../../contract/registry/file-path.ts'
import { fieldsOf, numberIn, textIn } from '../../read.ts'
import { plain } from '../command.ts'
import { folderBounds } from '../folder/read-folder.ts'

/** One file of a version, SKILL.md among them. */
export type ManifestFile = ManifestLine

/** What a version of a skill consists of. */
export interface Manifest {
  readonly version: number
  readonly digest: string
  /** In the byte order of their paths. */
  readonly files: readonly ManifestFile[]
}

export const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text)

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Digest, size and mode of a file, as a manifest's digest covers them and the lock tells them. */
export const fileLine = ({ digest, size, executable }: ManifestFile): string =>
  `${digest} ${size} ${executable ? '0755' : '0644'}`

/**
 * Reads the manifest that a registry answers with, and takes nothing on trust: paths, bounds and digests
 * are checked here again. Throws an error that names what is wrong.
 *
 * @param what the skill, as sentences name it.
 */
export function readManifest(answer: unknown, what: string): Manifest {
  const data = fieldsOf(fieldsOf(answer).data)
  const version = numberIn(data, 'version') ?? 0
  if (!isCount(version) || version === 0 || !Array.isArray(data.files)) {
    throw new Error(`The registry sent no manifest of ${what}.`)
  }
  const files = data.files.map((file) => readFile(file, what))
  const digest = checkFiles(files, textIn(data, 'digest'), what)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (data.size !== size)
    throw new Error(`The files of ${what} have ${size} bytes in all, not what its manifest says.`)
  return { version, digest, files: files.sort((one, other) => comparePaths(one.path, other.path)) }
}

/** Holds files to what a version may have, and to the digest of their manifest, which it gives. */
export function checkFiles(
  files: readonly ManifestFile[],
  digest: string | undefined,
  what: string,
): string {
  const paths = files.map(({ path }) => path)
  const beside = paths.filter((path) => path !== 'SKILL.md')
  if (beside.length !== paths.length - 1) {
    throw new Error(`The manifest of ${what} must name SKILL.md once.`)
  }
  if (beside.length > folderBounds.files) {
    throw new Error(
      `The manifest of ${what} names ${beside.length} files; ${folderBounds.files} are the most.`,
    )
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > folderBounds.bytes + folderBounds.fileBytes) {
    throw new Error(`The files of ${what} have ${bytes} bytes; 16 MiB are the most.`)
  }
  const [issue] = filePathsIssues(beside)
  if (issue) {
    const path = plain(beside[issue.index] ?? '')
    const why = plain(issue.message)
    throw new Error(`The manifest of ${what} is refused: the path "${path}" ${why}.`)
  }
  const found = digestOf(manifestText(files))
  if (digest === found) return found
  throw new Error(
    `The manifest of ${what} has ${found}, but is said to have ${plain(digest ?? 'none')}.`,
  )
}

function readFile(entry: unknown, what: string): ManifestFile {
  const fields = fieldsOf(entry)
  const path = textIn(fields, 'path') ?? ''
  const issue = filePathIssue(path)
  const refuse = (why: string) =>
    new Error(`The manifest of ${what} is refused: the path "${plain(path)}" ${why}.`)
  if (issue !== undefined) throw refuse(issue)
  const { digest, size, executable } = fields
  if (!isDigest(digest)) throw refuse('has no SHA-256 digest')
  if (!isCount(size)) throw refuse('has no size')
  if (size > folderBounds.fileBytes) throw refuse(`has ${size} bytes; 4 MiB are the most`)
  return { path, digest, size, executable: executable === true }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
