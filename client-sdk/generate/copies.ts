import { readFileSync } from 'node:fs'

const contract = new URL('../../contract/src/', import.meta.url)

/** Files of the contract that depend on nothing else; the client holds them as they are. */
const sources = [
  'hidden-characters.ts',
  'hidden-text.ts',
  'one-line.ts',
  'shown-text.ts',
  'registry/file-path.ts',
  'registry/left-out.ts',
  'secrets/find-secrets.ts',
  'secrets/patterns.ts',
  'registry/signed-statement.ts',
  'oauth/webhook-headers.ts',
  'text-encoding.ts',
  'utf8-length.ts',
]

/** The copies, by their file in the generated folder. */
export const copies = (): [string, string][] =>
  sources.map((source) => [`contract/${source}`, readFileSync(new URL(source, contract), 'utf8')])
