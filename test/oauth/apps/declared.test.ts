import type { DeclarationInput } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { appOf, declare } from '../../support/apps.ts'
import { operateJson } from '../../support/commands.ts'
import { startTestServer } from '../../support/server.ts'
import { addressesAt } from '../../support/settings.ts'
import { words } from '../../support/words.ts'

type DeclaredApp = NonNullable<DeclarationInput['apps']>[number]

const server = await startTestServer()
const { database } = server
const production = await startTestServer({
  database,
  env: { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') },
})
await declare(server)
let apps = 0
/** Declares an app with a new name. */
const make = async (app: Partial<DeclaredApp>, on = server) => {
  const name = `App ${++apps}`
  const whole: DeclaredApp = { name, account: 'Acme', type: 'general', ...app }
  return appOf(await declare(on, { apps: [whole] }), name)
}
/** The error message of a refused declaration. */
const refusal = (app: Partial<DeclaredApp>, on = server) =>
  make(app, on).then(
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
  expect(await operateJson(database, 'app', 'show', made.id)).toMatchObject({
    production: { scopes: ['user:read:user'], optionalScopes: ['meeting:write:meeting'] },
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
  const made = await make({ redirectUris: [uri] }, production)
  const redirectUris = [uri]
  expect(await operateJson(database, 'app', 'show', made.id)).toMatchObject({
    development: { redirectUris },
    production: { redirectUris },
  })
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
  const answer = await refusal({ redirectUris, publicClient: true }, production)
  expect(answer).toMatch(/^apps\[0\]\.redirectUris\[1\]: must /)
})
