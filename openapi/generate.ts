import { readFileSync, writeFileSync } from 'node:fs'
import { buildOpenApi } from './document.ts'

/** Writes the documents, or with `--check` fails where they are not what the contract gives. */
const documents = {
  'openapi.json': buildOpenApi(),
  'installers.json': buildOpenApi({ isForeign: true }),
}

for (const [name, document] of Object.entries(documents)) {
  const file = new URL(name, import.meta.url)
  const generated = `${JSON.stringify(document, null, 2)}\n`
  if (!process.argv.includes('--check')) {
    writeFileSync(file, generated)
  } else if (readFileSync(file, 'utf8') !== generated) {
    console.error(`openapi/${name} is stale: run "npm run generate" and commit it.`)
    process.exitCode = 1
  }
}
