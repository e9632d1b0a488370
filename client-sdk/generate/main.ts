import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { registryErrorsFile } from './registry-errors.ts'
import { tablesFile } from './tables.ts'
import { typesFile } from './types-file.ts'

// Generates the parts of the client that come from the contract, so that the package has no
// dependencies: `src/generated`, and copies of self-contained files in `src/contract`. Every build
// runs this script. Neither folder is committed.

const copied = [
  'closest-names.ts',
  'hidden-characters.ts',
  'hidden-text.ts',
  'oauth/webhook-headers.ts',
  'registry/file-path.ts',
  'registry/default-ignores.ts',
  'registry/signed-statement.ts',
  'secrets/find-secrets.ts',
  'secrets/patterns.ts',
  'terminal-text.ts',
  'visible-text.ts',
  'text-encoding.ts',
  'utf8-length.ts',
]

const contract = new URL('../../../contract/src/', import.meta.url)
const copies = emptied('../../src/contract/')
for (const file of copied) {
  cpSync(new URL(file, contract), new URL(file, copies), { preserveTimestamps: true })
}

const generated = emptied('../../src/generated/')
const files = {
  'types.ts': typesFile(),
  'tables.ts': tablesFile(),
  'registry-errors.ts': registryErrorsFile(),
}
for (const [file, text] of Object.entries(files)) {
  writeFileSync(new URL(file, generated), `// Generated from the contract. Do not edit.\n\n${text}`)
}

function emptied(path: string): URL {
  const folder = new URL(path, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}
