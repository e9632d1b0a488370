import { createHash, createHmac } from 'node:crypto'
import { oauthContract } from '@skillpass/contract'
import type { AppEnvironment } from '../../oauth/apps/settings.ts'
import { readAsset } from '../ui/assets.ts'
import { Command, Facts, Section } from '../ui/parts.tsx'
import { type AppExchange, appPath, hasNoScopes } from './app.tsx'

const flows = {
  account: 'Get a token for your account and make a call',
  user: 'Sign a person in and make a call',
  device: 'Connect a device and make a call',
  chatbot: 'Get a token and send a message as the bot',
}

type Flow = keyof typeof flows

/** Calls to try first: a scope that opens the call, and the call in curl and in TypeScript. */
const calls: readonly (readonly [scope: string, curl: string, client: string])[] = JSON.parse(
  readAsset('quick-start/calls.json'),
)

/** Replaces `{{name}}`. Omits lines with a name that has no value. */
const fill = (name: string, values: Readonly<Record<string, string | undefined>>): string =>
  readAsset(`quick-start/${name}.txt`)
    .trimEnd()
    .replace(/^.*\{\{(\w+)\}\}.*\n/gm, (line, key: string) =>
      values[key] === undefined ? '' : line,
    )
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')

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
    clientSecret: publicClient
      ? undefined
      : secret
        ? `'${secret}'`
        : "process.env.CLIENT_SECRET ?? ''",
  }
  const consent = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri ?? '',
    state: 'quick-start',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const ofType: Record<typeof app.type, Flow[]> = {
    'server-to-server': ['account'],
    chatbot: ['chatbot'],
    general: [
      ...(redirectUri ? ['user' as const] : []),
      ...(app.deviceFlow ? ['device' as const] : []),
    ],
  }
  const isGeneral = app.type === 'general'
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
      {ofType[app.type].map((flow) => (
        <Section id={`start-${flow}`} title={flows[flow]} level={3}>
          {flow === 'user' && (
            <p>
              <a href={`${authorizeUrl}?${consent}`}>Open the consent page</a>, allow the app, and
              copy the address that you end at. The snippet asks for it.
            </p>
          )}
          <details open>
            <summary>curl</summary>
            <Command text={fill(`${flow}.sh`, values)} />
          </details>
          <details>
            <summary>TypeScript</summary>
            <p class="hint">
              Save it as <code>quick-start.mts</code> in a clone of Skillpass, since the client is
              not on npm yet. There, run <code>npm ci && npm run build</code>, then{' '}
              <code>npx tsx quick-start.mts</code>.
            </p>
            <Command text={fill(`${flow}.ts`, values)} />
          </details>
        </Section>
      ))}
    </Section>
  )
}
