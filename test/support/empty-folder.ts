import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder, which is removed after the test that makes it. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpass_test_'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
