import type { TestServer } from '../support/server.ts'

/** A program of a stranger that uses the packed client; its argument is the address of a server. */
export const clientSample = `
import { createClient, NotFoundError, verifyWebhook, WebhookVerificationError } from '@skillpass/client'
import type { AppDeauthorizedEvent, FetchedSkill, TokenStore } from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'

const client = createClient({ baseUrl: process.argv[2] ?? '', retries: 0 })
const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a sampled form' } })
const confidence: number | undefined = data[0]?.confidence
const found: FetchedSkill | null = await client.registry.resolveAndFetch('sourdough bread', { timeoutMs: 60_000 })
const code: 'NOT_FOUND' | undefined = await client.registry.rawSkill
  .fetch({ params: { owner: 'a', repo: 'b', skill: 'c' } })
  .then(() => undefined, (error) => error instanceof NotFoundError ? error.code : undefined)
for await (const skill of client.registry.skills.search.all({ query: { q: 'sampled' } })) console.log(skill.slug)
const store: TokenStore = fileTokenStore('no-tokens.json')
console.log((confidence ?? 0) > 0.3, found, code, await store.load())
const webhook = await verifyWebhook({ headers: new Headers(), body: '', secretToken: 'x' })
  .catch((error) => error instanceof WebhookVerificationError ? error.reason : undefined)
console.log(webhook)
if (typeof webhook === 'object' && webhook.known && webhook.event === 'app_deauthorized') {
  const { payload }: AppDeauthorizedEvent = webhook
  console.log(payload.user_id)
}

export const upload = () =>
  client.registry.blobs.upload({ params: { sha256: 'a' }, body: new Blob(['hello']) })
// @ts-expect-error the description of a file is not the file
export const wrongUpload = () => client.registry.blobs.upload({ params: { sha256: 'a' }, body: { digest: 'a', size: 5 } })

// @ts-expect-error the types are not any
const wrong: string = data[0]?.confidence
// @ts-expect-error a task is needed
client.registry.skills.resolve({ query: {} }).catch(() => {})
`

export const clientSampleOutput = 'sampled-form\ntrue null NOT_FOUND undefined\nmissing-headers\n'

/** Publishes the skill that the program resolves and finds. */
export async function publishSampleSkill(server: TestServer): Promise<void> {
  const { client } = await server.agent()
  const description = 'Fills in a sampled form.'
  const body = { name: 'Sampled form', slug: 'sampled-form', description }
  await client.registry.skills.publish({ body })
}
