import type { DeclarationInput } from '@skillpass/server/operator/apply/apply'
import { findClient, listRedirectUris } from '@skillpass/server/store/oauth/clients'
import { expect, test } from 'vitest'
import { appOf, declare } from '../support/apps.ts'
import { startTestServer } from '../support/server.ts'
import { words } from '../support/words.ts'

type DeclaredApp = NonNullable<DeclarationInput['apps']>[number]

const { ctx } = await startTestServer()
const inProduction = {
  ...ctx,
  config: { ...ctx.config, environment: 'production' as const, allowsPrivateWebhooks: false },
}
await declare({ ctx })
let apps = 0
/** Declares an app with a new name. */
const make = async (app: Partial<DeclaredApp>, context = ctx) => {
  const name = `App ${++apps}`
  const whole: DeclaredApp = { name, account: 'Acme', type: 'general', ...app }
  return appOf(await declare({ ctx: context }, { apps: [whole] }), name)
}
/** The error message of a refused declaration. */
const refusal = (app: Partial<DeclaredApp>, context = ctx) =>
  make(app, context).then(
    () => 'made',
    (error: Error) => error.message,
  )

test('unknown scopes are refused, duplicates are removed, and scopes in both lists are optional', async () => {
  for (const scope of [
    'constructor',
    'user:read:user x',
    'user:look:user',
    'User:read:user',
    'nothing:read:this_app_was_reviewed_and_verified',
    'user:read:everything_that_you_have_allowed',
  ]) {
    expect(await refusal({ scopes: ['user:read:user', scope] })).toBe(
      `apps[0].scopes[1]: "${scope}" is not a scope of the platform`,
    )
  }
  expect(await refusal({ optionalScopes: ['user:read'] })).toBe(
    'apps[0].optionalScopes[0]: only granular scopes can be optional',
  )
  const made = await make({
    scopes: ['user:read:user', 'meeting:write:meeting', 'user:read:user'],
    optionalScopes: ['meeting:write:meeting', 'meeting:write:meeting'],
  })
  expect(await findClient(ctx.db.read, made.production.clientId)).toMatchObject({
    scopes: ['user:read:user'],
    optionalScopes: ['meeting:write:meeting'],
  })
})

test.each(
  words(`
    https://app.example.com/callback?tenant=1 https://app.example.com:8443/
    http://127.0.0.1:8090/callback http://[::1]:8090/callback http://localhost/callback
    com.example.app:/callback com.example.app://callback
    https://app.example.com/@callback?at=@
  `),
)('%s may be a redirect address and is stored unchanged', async (uri) => {
  const made = await make({ redirectUris: [uri] }, inProduction)
  expect(await listRedirectUris(ctx.db.read, made.development.clientId)).toEqual([uri])
  expect(await listRedirectUris(ctx.db.read, made.production.clientId)).toEqual([uri])
})

const never = words(`
    javascript:alert(1) javascript://x/%0aalert(1) JavaScript:/alert(1) data://text/html
    file:///etc/passwd blob:https://app.example.com/x about:blank view-source://app.example.com
    chrome-extension://abc/x ms-settings://x intent://scan/#x mailto:/a ws://app.example.com
    c:/x ab://x myapp:callback http:callback
  `)
test.each([
  ...never,
  'http://app.example.com/callback',
  'https://app.example.com/#fragment',
  'https://user@app.example.com/',
  'https://*.example.com/',
  'https://app.example.com/a b',
  'https://app.example.com\\@evil.example/',
  'https://\u0430pp.example.com/',
  'https:/app.example.com',
  '/callback',
  '',
  `https://app.example.com/${'x'.repeat(2000)}`,
])('%s may not be a redirect address, not even of a public client', async (uri) => {
  const redirectUris = ['https://a.example/', uri]
  const answer = await refusal({ redirectUris, publicClient: true }, inProduction)
  expect(answer).toMatch(/^apps\[0\]\.redirectUris\[1\]: must /)
})
