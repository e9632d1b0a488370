import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from '../support/server.ts'

/** Returns the files of a folder, with their bytes in Base64. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const read = paths.map(async (path) => {
    const bytes = await readFile(path)
    return [path.slice(folder.length + 1), bytes.toString('base64')]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** Returns the files in the manifest of a published skill. */
export async function publishedFiles(
  { client, http }: Pick<TestServer, 'client' | 'http'>,
  { id }: { id: string },
): Promise<Record<string, string>> {
  const { data } = await client.registry.files.list({ params: { id } })
  const read = data.files.map(async ({ path, url }) => {
    const { pathname, search } = new URL(url)
    const bytes = Buffer.from(await (await http(pathname + search)).arrayBuffer())
    return [path, bytes.toString('base64')]
  })
  return Object.fromEntries(await Promise.all(read))
}
