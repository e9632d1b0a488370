// Copies what the client needs of the contract into its sources, since the package depends on nothing.
// Runs before each build. The copies are not committed: they would say everything twice.
import { cpSync, rmSync } from 'node:fs'

/** Files of the contract that depend on nothing else. */
const files = [
  'hidden-characters.ts',
  'hidden-text.ts',
  'oauth/webhook-headers.ts',
  'one-line.ts',
  'registry/file-path.ts',
  'registry/left-out.ts',
  'registry/signed-statement.ts',
  'secrets/find-secrets.ts',
  'secrets/patterns.ts',
  'shown-text.ts',
  'text-encoding.ts',
  'utf8-length.ts',
]

const from = new URL('../../contract/src/', import.meta.url)
const to = new URL('../src/contract/', import.meta.url)

rmSync(to, { recursive: true, force: true })
for (const file of files) {
  cpSync(new URL(file, from), new URL(file, to), { preserveTimestamps: true })
}
