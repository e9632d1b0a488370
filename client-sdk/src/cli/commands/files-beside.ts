import type { Client } from '../../client.ts'
import { type ManifestLine, manifestText } from '../../generated/contract/registry/file-path.ts'
import { digestOf } from '../install/manifest.ts'

/** The files of a version beside its SKILL.md. */
export async function filesBeside(client: Client, id: string, version: number) {
  const { data } = await client.registry.files.list({ params: { id }, query: { version } })
  return data.files.filter(({ path }) => path !== 'SKILL.md')
}

/** What a signature says of the files beside SKILL.md; null where there are none. */
export const filesDigest = (beside: readonly ManifestLine[]): string | null =>
  beside.length === 0 ? null : digestOf(manifestText(beside))
