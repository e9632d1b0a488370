import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../support/processes.ts'

/** Names that the snippets use without declaring them. */
const declarations = `import type * as skillpass from '@skillpass/client'

declare global {
  const clientId: string, clientSecret: string, accountId: string, secretToken: string
  const baseUrl: string, authUrl: string, apiUrl: string
  const createClient: typeof skillpass.createClient
  const accountToken: typeof skillpass.accountToken
  const client: skillpass.Client
  const apiKeys: skillpass.Client['registry']['apiKeys']
  const platform: skillpass.Client['platform']
  const key: Awaited<ReturnType<skillpass.Client['registry']['apiKeys']['create']>>['data']
  const headers: Headers, body: string
  const deleteUser: (id: string) => Promise<void>
  const deleteDataOf: (id: string) => Promise<void>
}
`

/** Writes the TypeScript snippets of the READMEs into a project. Returns the names of the files. */
export async function writeSnippets(project: string): Promise<string[]> {
  const modules = new Map([['declarations.d.ts', declarations]])
  for (const readme of ['README', 'client-sdk/README']) {
    const text = await readFile(join(root, `${readme}.md`), 'utf8')
    for (const [, code] of text.matchAll(/^```ts\n(.*?)^```/gms)) {
      modules.set(`snippet-${modules.size}.ts`, `${code}\nexport {}\n`)
    }
  }
  for (const [name, code] of modules) await writeFile(join(project, name), code)
  return [...modules.keys()]
}
