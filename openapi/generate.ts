import { readFileSync, writeFileSync } from 'node:fs'
import { buildOpenApi } from './document.ts'

// Writes the document. With `--check`, fails if the committed document differs.
const file = new URL('openapi.json', import.meta.url)
const generated = `${JSON.stringify(buildOpenApi(), null, 2)}\n`
if (!process.argv.includes('--check')) {
  writeFileSync(file, generated)
} else if (readFileSync(file, 'utf8') !== generated) {
  console.error('openapi/openapi.json is stale: run "npm run generate" and commit it.')
  process.exitCode = 1
}
