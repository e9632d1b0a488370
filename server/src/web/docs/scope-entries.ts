import {
  isClassicScope,
  openingScopes,
  platformContract,
  scopeCatalogue,
} from '@skillpass/contract'
import { listRoutes } from '../../http/endpoints.ts'
import { hasMetadata } from '../../http/route.ts'

/** What each endpoint that takes an access token asks for. */
const endpoints = listRoutes(platformContract)
  .filter(hasMetadata)
  .flatMap(({ method, path, metadata: { scopes } }) =>
    scopes ? [{ name: `${method} ${path}`, opened: openingScopes(scopes) }] : [],
  )

const levels = {
  user: "The user's own data",
  admin: 'The whole account; an admin allows it',
  master: 'The sub-accounts; the owner of the account allows it',
  bot: 'Chat messages of the app itself',
}

/** The scopes of one kind: what each lets an app do, on whose data, and which endpoints it opens. */
export const scopeSections = [
  {
    title: 'Granular',
    about: '<service>:<action>:<data>, with :admin or :master behind it.',
    scopes: scopesOf(false),
  },
  {
    title: 'Classic',
    about: 'For apps that have them already; the console migrates an app to granular ones.',
    scopes: scopesOf(true),
  },
] as const

function scopesOf(areClassic: boolean) {
  return scopeCatalogue
    .filter(({ scope }) => isClassicScope(scope) === areClassic)
    .map(({ scope, level, sentence }) => ({
      scope,
      sentence,
      level: levels[level],
      endpoints: endpoints.filter(({ opened }) => opened.includes(scope)).map(({ name }) => name),
    }))
}
