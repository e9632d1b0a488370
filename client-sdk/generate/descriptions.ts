import { openingScopes, rateLimits } from '@skillpass/contract'
import { comment } from './comments.ts'
import { classOf } from './registry-errors.ts'
import { errorsOf, registryCodes } from './responses.ts'
import type { ContractRoute } from './routes.ts'

/** Returns the doc comment of a call: summary, description, credential, rate limit and errors. */
export function descriptionOf(found: ContractRoute): string {
  const { route, metadata } = found
  const limit = metadata.limit === 'none' ? '' : ` ${rateLimits[metadata.limit].description}`
  return comment(
    route.summary && `${route.summary}.`,
    route.description,
    304 in route.responses
      ? 'With `if-none-match`, returns null if your copy is current.'
      : undefined,
    `\`${route.method} ${route.path}\`. ${credentialOf(found)}${limit}`,
    thrownBy(found),
  )
}

function credentialOf({ metadata: { auth, access = 'full', scopes, takesApiKey } }: ContractRoute) {
  switch (auth) {
    case 'apiKey':
      return `Requires an API key with \`${access}\` access${access === 'full' ? '' : ' or more'}.`
    case 'client':
      return 'Requires the client id, and the client secret if the app has one.'
    case 'accessToken':
      return scopes
        ? `Requires an access token with one of the scopes ${quoted(openingScopes(scopes))}.`
        : 'Requires an access token.'
    case 'none':
      return takesApiKey ? 'Public. Sends your API key if you set one.' : 'Public.'
  }
}

const quoted = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

function thrownBy(found: ContractRoute): string | undefined {
  const statuses = errorsOf(found)
  if (statuses.length === 0) return undefined
  if (found.where.startsWith('registry.')) {
    const classes = statuses.map((status) => classOf(registryCodes.get(status) ?? found.where))
    return `@throws ${classes.join(', ')}`
  }
  const service = found.where.startsWith('oauth.') ? 'OAuthRequestError' : 'PlatformRequestError'
  return `@throws ${service} (${statuses.join(', ')})`
}
