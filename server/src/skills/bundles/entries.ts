import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { comparePaths, type ManifestLine, manifestText } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { installableMarkdown } from '../frontmatter/complete.ts'
import type { FileRecord } from '../store/files.ts'
import { openBlob } from './blob.ts'
import type { FileEntry } from './entry.ts'

/** What the SKILL.md of a version is made of. */
export interface ReleaseText {
  readonly readme: string
  readonly slug: string
  readonly description: string
}

/** Digest of a manifest, or of a part of it: of its lines, in the order of their paths. */
export const manifestDigest = (files: readonly ManifestLine[]): string =>
  digestOfBytes(Buffer.from(manifestText(files)))

/** The files of a version, SKILL.md among them, in the byte order of their paths. */
export function entriesOf(
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  text: ReleaseText,
  files: readonly FileRecord[],
): FileEntry[] {
  return [skillEntry(text), ...filesOf(ctx, files)].sort((a, b) => comparePaths(a.path, b.path))
}

/** The files beside the readme, ready to be read. */
export const filesOf = (
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  files: readonly FileRecord[],
): FileEntry[] =>
  files.map(({ objectKey, ...file }) => ({
    ...file,
    open: (range) => openBlob(ctx, { ...file, objectKey }, range),
  }))

/** The SKILL.md that is handed out: the readme with its front matter completed. */
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
