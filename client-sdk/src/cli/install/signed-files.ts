import type { Client } from '../../client.ts'
import { type ManifestLine, manifestText } from '../../contract/registry/file-path.ts'
import { digestOf } from './manifest.ts'

/** Returns the installed SKILL.md of a version, and its other files. */
export async function filesOf(client: Client, id: string, version: number) {
  const { data } = await client.registry.files.list({ params: { id }, query: { version } })
  const isReadme = ({ path }: ManifestLine) => path === 'SKILL.md'
  return { readme: data.files.find(isReadme), beside: data.files.filter((file) => !isReadme(file)) }
}

/** Returns the signed digest of the files other than SKILL.md; null without such files. */
export const filesDigest = (beside: readonly ManifestLine[]): string | null =>
  beside.length === 0 ? null : digestOf(manifestText(beside))
