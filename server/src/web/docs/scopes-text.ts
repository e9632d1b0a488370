import {
  isClassicScope,
  oauthContract,
  openingScopes,
  platformContract,
  scopeCatalogue,
} from '@skillpass/contract'
import { listRoutes } from '../../http/endpoints.ts'
import { hasMetadata } from '../../http/request.ts'
import { blocks, fullStop, inline } from '../ui/markdown-text.ts'

const endpoints = listRoutes(platformContract)
  .filter(hasMetadata)
  .flatMap(({ method, path, metadata: { scopes } }) =>
    scopes ? [{ name: `${method} ${path}`, opened: openingScopes(scopes) }] : [],
  )

const levels = {
  user: 'It covers only the user’s own data',
  admin: 'Only an admin can allow it',
  master: 'Only the account’s owner can allow it',
  bot: 'It covers only the app’s own chat messages',
}

/** The scopes of one kind: what each allows, on whose data, and which endpoints it opens. */
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
    `What each scope lets an app do, and which endpoints it opens. An app requests scopes at \`${oauthContract.authorize.path}\`.`,
    ...section(
      'Granular',
      'The form is <service>:<action>:<data>, optionally with :admin or :master at the end.',
      false,
    ),
    ...section(
      'Classic',
      'Only for apps that already have them. The console migrates an app to granular scopes.',
      true,
    ),
  )
