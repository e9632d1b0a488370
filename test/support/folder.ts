import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, for what is no test; `temporaryFolder` removes its own. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'skillpass_test_'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
