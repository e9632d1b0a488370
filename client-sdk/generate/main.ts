import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { registryErrorsFile } from './registry-errors.ts'
import { tablesFile } from './tables.ts'
import { typesFile } from './types-file.ts'

// Makes what the client has of the contract, since the package depends on nothing: `src/generated`, and in
// `src/contract` copies of files that depend on nothing else. Each build runs it; neither is committed.

const copied = [
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
  writeFileSync(
    new URL(file, generated),
    `// Generated from the contract by each build.\n\n${text}`,
  )
}

function emptied(path: string): URL {
  const folder = new URL(path, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}
