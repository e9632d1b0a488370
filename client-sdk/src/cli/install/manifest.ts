import { createHash } from 'node:crypto'
import {
  comparePaths,
  filePathIssue,
  filePathsIssues,
  type ManifestLine,
  manifestText,
} from '../../contract/registry/file-path.ts'
import { asRecord, numberField, stringField } from '../../untrusted.ts'
import { printable } from '../command.ts'
import { folderBounds } from '../folder/read-folder.ts'

/** All files of a version. */
export interface Manifest {
  readonly version: number
  readonly digest: string
  /** Sorted by the bytes of their paths. */
  readonly files: readonly ManifestLine[]
}

export const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text)

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Formats digest, size and mode of a file as in the lock. */
export const fileLine = ({ digest, size, executable }: ManifestLine): string =>
  `${digest} ${size} ${executable ? '0755' : '0644'}`

/**
 * Validates the manifest of a registry, which is untrusted: checks paths, limits and digests.
 *
 * @param what Name of the skill for error messages.
 */
export function readManifest(response: unknown, what: string): Manifest {
  const data = asRecord(asRecord(response).data)
  const version = numberField(data, 'version') ?? 0
  if (!isCount(version) || version === 0 || !Array.isArray(data.files)) {
    throw new Error(`The registry sent no manifest of ${what}.`)
  }
  const files = data.files.map((file) => readFile(file, what))
  const digest = checkFiles(files, stringField(data, 'digest'), what)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (data.size !== size)
    throw new Error(
      `The manifest of ${what} is invalid: its files have ${size} bytes in total, not its size.`,
    )
  return { version, digest, files: files.sort((one, other) => comparePaths(one.path, other.path)) }
}

/**
 * Checks the files of a version against the limits and the digest of their manifest. Returns the
 * digest.
 */
export function checkFiles(
  files: readonly ManifestLine[],
  digest: string | undefined,
  what: string,
): string {
  const paths = files.map(({ path }) => path)
  const others = paths.filter((path) => path !== 'SKILL.md')
  if (others.length !== paths.length - 1) {
    throw new Error(`The manifest of ${what} must contain SKILL.md once.`)
  }
  if (others.length > folderBounds.files) {
    throw new Error(
      `The manifest of ${what} has ${others.length} files; the limit is ${folderBounds.files}.`,
    )
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > folderBounds.bytes + folderBounds.fileBytes) {
    throw new Error(`The files of ${what} have ${bytes} bytes; the limit is 16 MiB.`)
  }
  const [issue] = filePathsIssues(others)
  if (issue) {
    const path = printable(others[issue.index] ?? '')
    const why = printable(issue.message)
    throw new Error(`The manifest of ${what} is invalid: the path "${path}" ${why}.`)
  }
  const found = digestOf(manifestText(files))
  if (digest === found) return found
  throw new Error(
    `The manifest of ${what} has the digest ${found} instead of ${printable(digest ?? 'none')}.`,
  )
}

function readFile(entry: unknown, what: string): ManifestLine {
  const fields = asRecord(entry)
  const path = stringField(fields, 'path') ?? ''
  const issue = filePathIssue(path)
  const refuse = (why: string) =>
    new Error(`The manifest of ${what} is invalid: the path "${printable(path)}" ${why}.`)
  if (issue !== undefined) throw refuse(issue)
  const { digest, size, executable } = fields
  if (!isDigest(digest)) throw refuse('has no SHA-256 digest')
  if (!isCount(size)) throw refuse('has no size')
  if (size > folderBounds.fileBytes) throw refuse(`has ${size} bytes; the limit is 4 MiB`)
  return { path, digest, size, executable: executable === true }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
