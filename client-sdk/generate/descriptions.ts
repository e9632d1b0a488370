import { openingScopes, rateLimits } from '@skillpass/contract'
import { errorsOf, registryCodes } from './answers.ts'
import { comment } from './comments.ts'
import { classOf } from './registry-errors.ts'
import type { FoundRoute } from './routes.ts'

/** The comment of a call: what it does, for whom, and how it says no. */
export function descriptionOf(found: FoundRoute): string {
  const { route, metadata } = found
  const limit = metadata.limit === 'none' ? '' : ` ${rateLimits[metadata.limit].description}`
  return comment(
    route.summary && `${route.summary}.`,
    route.description,
    304 in route.responses
      ? 'With `if-none-match` it gives null where that copy is still good.'
      : undefined,
    `\`${route.method} ${route.path}\`. ${credentialOf(found)}${limit}`,
    thrownBy(found),
  )
}

function credentialOf({ metadata: { auth, access = 'full', scopes, takesApiKey } }: FoundRoute) {
  switch (auth) {
    case 'apiKey':
      return `Needs an API key with the access \`${access}\`${access === 'full' ? '' : ' or more'}.`
    case 'client':
      return 'Needs the id of the app, and the secret where it has one.'
    case 'accessToken':
      return scopes
        ? `Needs an access token with one of the scopes ${quoted(openingScopes(scopes))}.`
        : 'Needs an access token.'
    case 'none':
      return takesApiKey ? 'Needs no credential; an API key is sent along.' : 'Needs no credential.'
  }
}

const quoted = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

function thrownBy(found: FoundRoute): string | undefined {
  const statuses = errorsOf(found)
  if (statuses.length === 0) return undefined
  if (found.where.startsWith('registry.')) {
    const classes = statuses.map((status) => classOf(registryCodes.get(status) ?? found.where))
    return `@throws ${classes.join(', ')}`
  }
  const service = found.where.startsWith('oauth.') ? 'OAuthRequestError' : 'PlatformRequestError'
  return `@throws ${service} (${statuses.join(', ')})`
}
