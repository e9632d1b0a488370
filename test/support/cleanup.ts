import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Creates a folder that is removed after the file's tests. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await makeFolder()
  afterFile(remove)
  return path
}

/** Creates a folder outside of a test. The caller removes it. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'skillpass_test_'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Writes files below a folder and creates their parent folders. */
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

/** Runs `end` after the file's tests. Unlike `afterAll`, it also works inside a test or a hook. */
export function afterFile(end: () => Promise<unknown>): void {
  ends.add(end)
}

/** Withdraws a callback of `afterFile` whose work is already done. */
export function cancelAfterFile(end: () => Promise<unknown>): void {
  ends.delete(end)
}

/** Runs the remaining callbacks, newest first. */
export async function endFile(): Promise<void> {
  for (const end of [...ends].reverse()) {
    ends.delete(end)
    await end()
  }
}
