import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a temporary folder for the run, so that parallel runs do not mix, and removes it
 * afterwards. Other users may traverse it, because Postgres runs as a different user.
 */
export default async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpass_run_'))
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  process.env.TEST_LACKING = join(folder, 'lacking')
  return () => rm(folder, { recursive: true, force: true })
}
