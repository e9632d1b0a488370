import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A new folder, which is removed after the file's tests. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await makeFolder()
  afterFile(remove)
  return path
}

/** A new folder, for what is no test; `temporaryFolder` removes its own. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'skillpass_test_'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files below a folder, and the folders that they stand in. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

const ends = new Set<() => Promise<unknown>>()

/** Ends with the file's tests; holds in a test and a hook, too, where `afterAll` has no effect. */
export function afterFile(end: () => Promise<unknown>): void {
  ends.add(end)
}

/** What was told to `afterFile` and has ended before. */
export function endedBefore(end: () => Promise<unknown>): void {
  ends.delete(end)
}

/** Ends all that is left, the last begun first. */
export async function endFile(): Promise<void> {
  for (const end of [...ends].reverse()) {
    ends.delete(end)
    await end()
  }
}
