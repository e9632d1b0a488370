import {
  isClassicScope,
  oauthContract,
  openingScopes,
  platformContract,
  scopeCatalogue,
} from '@skillpass/contract'
import { listRoutes } from '../../http/endpoints.ts'
import { hasMetadata } from '../../http/route.ts'
import { blocks, fullStop, inline } from '../ui/markdown-text.ts'

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
const section = (title: string, about: string, areClassic: boolean) => [
  `## ${title}`,
  inline(about),
  ...scopeCatalogue
    .filter(({ scope }) => isClassicScope(scope) === areClassic)
    .flatMap(({ scope, level, sentence }) => [
      `### \`${scope}\``,
      `${fullStop(sentence)} ${fullStop(levels[level])}`,
      endpoints
        .filter(({ opened }) => opened.includes(scope))
        .map(({ name }) => `- \`${name}\``)
        .join('\n'),
    ]),
]

export const scopesText = (): string =>
  blocks(
    '# Scopes',
    `What each lets an app do, and which endpoints it opens. An app asks for them at \`${oauthContract.authorize.path}\`.`,
    ...section('Granular', '<service>:<action>:<data>, with :admin or :master behind it.', false),
    ...section(
      'Classic',
      'For apps that have them already; the console migrates an app to granular ones.',
      true,
    ),
  )
