import { createHash, createHmac } from 'node:crypto'
import { oauthContract } from '@skillpass/contract'
import type { AppEnvironment } from '../../oauth/apps/settings.ts'
import { readAsset } from '../ui/assets.ts'
import { Command, Facts, Section } from '../ui/parts.tsx'
import { type AppExchange, appPath, hasNoScopes } from './app.tsx'

/** Calls to try first: a scope that opens the call, and the call in curl and in TypeScript. */
const calls: readonly (readonly [scope: string, curl: string, client: string])[] = JSON.parse(
  readAsset('quick-start/calls.json'),
)

/** Replaces `{{name}}`. Omits lines with a name that has no value. */
const fill = (name: string, values: Readonly<Record<string, string | undefined>>): string =>
  readAsset(`quick-start/${name}.txt`)
    .replace(/^.*\{\{(\w+)\}\}.*\n/gm, (line, key: string) =>
      values[key] === undefined ? '' : line,
    )
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
    .trimEnd()

interface QuickStartProps {
  exchange: AppExchange
  environment?: AppEnvironment
  /** The client secret, if it may be shown. Otherwise the snippets read it from a variable. */
  secret?: string | undefined
}

/** Snippets that run as pasted: a token by each grant of the app, and its first call. */
export function QuickStart({ exchange, environment = 'development', secret }: QuickStartProps) {
  const { ctx, app, session } = exchange
  if (hasNoScopes(app)) return null
  const { baseUrl, authUrl, apiUrl } = ctx.config
  const { clientId, redirectUris, scopes, optionalScopes } = app[environment]
  const [redirectUri] = redirectUris
  // The verifier is the same at every reload, and nobody outside this session can guess it.
  const proof = createHmac('sha256', session.key).update(`quick start ${clientId}`)
  const codeVerifier = proof.digest('base64url')
  const [, call, clientCall] =
    calls.find(([scope]) =>
      [...scopes, ...optionalScopes].some((one) => one.replace(/:admin$/, '') === scope),
    ) ?? []
  const tokenUrl = authUrl + oauthContract.token.path
  const authorizeUrl = authUrl + oauthContract.authorize.path
  const { accountId, publicClient } = app
  const secretText = secret ? `'${secret}'` : "process.env.CLIENT_SECRET ?? ''"
  const values = {
    ...{ baseUrl, authUrl, apiUrl, tokenUrl, accountId, clientId, codeVerifier },
    deviceUrl: authUrl + oauthContract.device.path,
    redirectUri: redirectUri && encodeURIComponent(redirectUri),
    redirectUriText: redirectUri?.replaceAll("'", "\\'"),
    call,
    clientCall: clientCall ? `platform.${clientCall}` : 'accessToken.granted()',
    credentials: publicClient
      ? `-d client_id=${clientId}`
      : `-u "${clientId}:${secret ?? '$CLIENT_SECRET'}"`,
    clientSecret: publicClient ? undefined : secretText,
  }
  const consent = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri ?? '',
    state: 'quick-start',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const isGeneral = app.type === 'general'
  const flows = [
    { name: 'account', title: 'Make a call', isOffered: app.type === 'server-to-server' },
    { name: 'chatbot', title: 'Send a message as the bot', isOffered: app.type === 'chatbot' },
    { name: 'user', title: 'Sign a person in', isOffered: isGeneral && redirectUri },
    { name: 'device', title: 'Connect a device', isOffered: app.deviceFlow },
  ]
  const shown = (text: string) => <code class="secret">{text}</code>
  return (
    <Section id="quick-start" title="Quick start" class="quick-start">
      <Facts
        facts={[
          ['Account ID', shown(accountId)],
          ['Client ID', shown(clientId)],
          ['Token address', shown(tokenUrl)],
          ['Authorize address', isGeneral && shown(authorizeUrl)],
        ]}
      />
      {!secret && !publicClient && (
        <p>
          The snippets read the {environment} client secret from a variable. Set it first:{' '}
          <code>export CLIENT_SECRET=scs_…</code>
        </p>
      )}
      {isGeneral && !redirectUri && (
        <p class="notice">
          To sign people in, the app needs an address that they return to.{' '}
          <a href={appPath(app.id, '/redirects')}>Add a redirect address</a>
        </p>
      )}
      {flows.map(
        ({ name, title, isOffered }) =>
          isOffered && (
            <Section id={`start-${name}`} title={title} level={3}>
              {name === 'user' && (
                <p>
                  <a href={`${authorizeUrl}?${consent}`}>Open the consent page</a>, allow the app,
                  and copy the address that you end at. The snippet asks for it.
                </p>
              )}
              <details open>
                <summary>curl</summary>
                <Command text={fill(`${name}.sh`, values)} />
              </details>
              <details>
                <summary>TypeScript</summary>
                <p class="hint">
                  Save it as <code>quick-start.mts</code> in a clone of Skillpass, since the client
                  is not on npm yet. There, run <code>npm ci && npm run build</code>, then{' '}
                  <code>npx tsx quick-start.mts</code>.
                </p>
                <Command text={fill(`${name}.ts`, values)} />
              </details>
            </Section>
          ),
      )}
    </Section>
  )
}
