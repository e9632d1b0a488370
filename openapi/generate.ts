import { readFileSync, writeFileSync } from 'node:fs'
import { contract, doubleContract } from '@skillpass/contract'
import { buildOpenApi } from './document.ts'

const documents = { 'openapi.json': contract, 'double.json': { double: doubleContract } }

// Writes the documents. With `--check`, fails if a committed document differs.
for (const [name, router] of Object.entries(documents)) {
  const file = new URL(name, import.meta.url)
  const generated = `${JSON.stringify(buildOpenApi(undefined, router), null, 2)}\n`
  if (!process.argv.includes('--check')) {
    writeFileSync(file, generated)
  } else if (readFileSync(file, 'utf8') !== generated) {
    console.error(`openapi/${name} is stale: run "npm run generate" and commit it.`)
    process.exitCode = 1
  }
}
