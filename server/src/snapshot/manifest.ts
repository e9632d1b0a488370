import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { apiVersion } from '@skillpass/contract'
import { z } from 'zod'
import { errorCode } from '../errors/error-code.ts'
import { UnusableSnapshot } from './unusable.ts'

/** Raise it when what the parts hold changes, or how the text of a skill becomes words. */
const layout = 15

/** What this process writes and reads; a snapshot of any other format is not used. */
export const snapshotFormat = `${apiVersion}-${layout}-${endianness()}`

/** The file that makes a set of parts a snapshot. It is replaced as a whole. */
export const manifestName = 'manifest'

/** Parts are only ever looked for, and deleted, under names like this. */
export const partNamePattern = /^[\w-]+\.part$/

const Count = z.int().nonnegative()

const Part = z.strictObject({
  name: z.string(),
  file: z.string().regex(partNamePattern),
  /** Bytes. */
  length: Count,
  /** CRC-32 of the bytes. */
  checksum: Count,
  immutable: z.string().optional(),
})

const Manifest = z.strictObject({
  id: z.string().min(1),
  format: z.string(),
  revision: Count,
  meta: z.unknown(),
  parts: z.array(Part),
})

export type Manifest = z.output<typeof Manifest>
export type PartEntry = z.output<typeof Part>

/** The text of a manifest: the CRC-32 of the JSON on the first line, the JSON on the second. */
export function formatManifest(manifest: Manifest): string {
  const json = JSON.stringify(manifest)
  return `${checksumOf(json)}\n${json}\n`
}

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0')

/** The manifest of a folder; undefined when it has none. Throws `UnusableSnapshot`. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new UnusableSnapshot('its manifest cannot be read', { cause: error })
  })
  if (text === undefined) return undefined
  const [checksum, json = ''] = text.split('\n')
  if (checksum !== checksumOf(json)) throw new UnusableSnapshot('its manifest is damaged')
  return parse(json)
}

function parse(json: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(json))
  } catch (error) {
    throw new UnusableSnapshot('its manifest is of another form', { cause: error })
  }
}
