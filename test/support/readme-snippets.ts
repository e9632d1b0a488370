import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './processes.ts'

/** A snippet of a README as a module of its own, with what the words around it take for granted. */
export interface Snippet {
  /** `README 1`, `client-sdk/README 3`. */
  readonly name: string
  readonly code: string
}

/** What snippets take for granted, each name with the lines that make it; in the order of their needs. */
const given = {
  clientId: `const clientId = process.env.CLIENT_ID ?? ''`,
  clientSecret: `const clientSecret = process.env.CLIENT_SECRET ?? ''`,
  accountId: `const accountId = process.env.ACCOUNT_ID ?? ''`,
  baseUrl: `const baseUrl = 'http://localhost:3000'`,
  authUrl: `const authUrl = 'http://localhost:3000'`,
  apiUrl: `const apiUrl = 'http://localhost:3000'`,
  client: `const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.SKILLPASS_API_KEY })`,
  apiKeys: `const { apiKeys } = client.registry`,
  platform: `const { platform } = createClient({
  baseUrl: 'http://localhost:3000',
  accessToken: accountToken({
    authUrl: 'http://localhost:3000',
    clientId: process.env.CLIENT_ID ?? '',
    clientSecret: process.env.CLIENT_SECRET ?? '',
    accountId: process.env.ACCOUNT_ID ?? '',
  }),
})`,
  key: `const { data: key } = await client.registry.apiKeys.create({ body: { name: 'old' } })`,
  secretToken: `const secretToken = process.env.SECRET_TOKEN ?? ''`,
  headers: `const headers = new Headers(JSON.parse(process.env.WEBHOOK_HEADERS ?? '{}'))`,
  body: `const body = process.env.WEBHOOK_BODY ?? ''`,
  deleteUser: `const deleteUser = async (id: string) => console.log('deleted', id)`,
  deleteDataOf: `const deleteDataOf = async (id: string) => console.log('deleted', id)`,
}

/** What is done with what a snippet only declares. */
const used = {
  receive: `const request = new Request('http://app.test/events', {
  method: 'POST',
  headers: JSON.parse(process.env.WEBHOOK_HEADERS ?? '{}'),
  body: process.env.WEBHOOK_BODY ?? '',
})
console.log((await receive(request)).status)`,
}

/** The TypeScript of the root's README and the client's. */
export async function readmeSnippets(): Promise<Snippet[]> {
  const snippets = ['README', 'client-sdk/README'].map(async (file) => {
    const text = await readFile(join(root, `${file}.md`), 'utf8')
    return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ''], i) => ({
      name: `${file} ${i + 1}`,
      code: moduleOf(code),
    }))
  })
  return (await Promise.all(snippets)).flat()
}

/** A snippet with what it takes for granted before it. */
function moduleOf(snippet: string): string {
  let code = snippet
  for (const [name, lines] of Object.entries(given).reverse()) {
    if (takes(code, name)) code = `${lines}\n${code}`
  }
  for (const [name, lines] of Object.entries(used)) {
    if (declares(snippet, name)) code += `${lines}\n`
  }
  const imports = ['accountToken', 'createClient'].filter(
    (name) => code.includes(`${name}(`) && !new RegExp(`import [^;]*?\\b${name}\\b`).test(snippet),
  )
  const line = `import { ${imports.join(', ')} } from '@skillpass/client'\n`
  return `${imports.length > 0 ? line : ''}${code}\nexport {}\n`
}

/** Whether code uses a name that it does not declare. */
function takes(code: string, name: string): boolean {
  const words = code.replace(/(^|\s)\/\/.*$/gm, '')
  return new RegExp(`(?<![.\\w'/@])${name}\\b(?!:)`).test(words) && !declares(words, name)
}

const declares = (code: string, name: string) =>
  new RegExp(`\\b(const|function) (${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\})`).test(code)
