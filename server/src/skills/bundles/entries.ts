import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { comparePaths, type ManifestLine, manifestText } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { installableMarkdown } from '../frontmatter/complete.ts'
import type { FileRecord } from '../store/files.ts'
import { openBlob } from './blob.ts'
import type { FileEntry } from './entry.ts'

/** The fields from which the SKILL.md of a version is generated. */
export interface ReleaseText {
  readonly readme: string
  readonly slug: string
  readonly description: string
}

export const manifestDigest = (files: readonly ManifestLine[]): string =>
  digestOfBytes(Buffer.from(manifestText(files)))

/** Returns the files of a version including SKILL.md, sorted by the bytes of their paths. */
export const entriesOf = (
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  text: ReleaseText,
  files: readonly FileRecord[],
): FileEntry[] =>
  [skillEntry(text), ...filesOf(ctx, files)].sort((a, b) => comparePaths(a.path, b.path))

/** Returns readable entries for all files except the readme. */
export const filesOf = (
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  files: readonly FileRecord[],
): FileEntry[] =>
  files.map(({ objectKey, ...file }) => ({
    ...file,
    open: (range) => openBlob(ctx, { ...file, objectKey }, range),
  }))

/** Returns the served SKILL.md: the readme with completed frontmatter. */
function skillEntry({ readme, slug, description }: ReleaseText): FileEntry {
  const name = slug
  const bytes = Buffer.from(installableMarkdown({ readme, slug, description, name }))
  return {
    path: 'SKILL.md',
    digest: digestOfBytes(bytes),
    size: bytes.length,
    executable: false,
    crc32: crc32(bytes),
    async *open({ start, end } = { start: 0, end: bytes.length }) {
      yield bytes.subarray(start, end)
    },
  }
}

const digestOfBytes = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
