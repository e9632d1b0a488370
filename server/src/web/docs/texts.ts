import {
  isClassicScope,
  listRoutes,
  metadataOf,
  oauthContract,
  oauthErrors,
  oauthRemedies,
  openingScopes,
  platformContract,
  platformErrors,
  platformRemedies,
  registryErrors,
  registryRemedies,
  scopeCatalogue,
} from '@skillpass/contract'
import { blocks, fullStop, inline } from '../ui/markdown.tsx'

type ErrorTexts = Partial<Record<'error' | 'message' | 'reason' | 'description', string>>

/** The errors of any service. */
type ErrorTable = Readonly<Record<string, ErrorTexts & { status: number; code?: number }>>
type Remedies = Readonly<Record<string, string>>

/** The entries of a service: each code with its meaning and remedy. */
const errorsOf = (service: string, table: ErrorTable, remedies: Remedies) =>
  Object.entries(table).map(([name, { code, status, error, message, reason, description }]) => {
    const head = `${service}, ${status}${error === undefined ? '' : `, \`${error}\``}:`
    const meaning = message ?? (reason === undefined ? '' : `${reason}. `) + description
    const text = `${head} ${fullStop(meaning)} ${fullStop(remedies[name] ?? '')}`
    return { code: String(code ?? error ?? name), text }
  })

const errors = [
  ...errorsOf('Skill registry', registryErrors, registryRemedies),
  ...errorsOf('Authorization service', oauthErrors, oauthRemedies),
  ...errorsOf('Resource API', platformErrors, platformRemedies),
]

const codes = [...new Set(errors.map(({ code }) => code))]
const isNumber = (code: string) => /^\d+$/.test(code)
const isName = (code: string) => /^[A-Z_]+$/.test(code)

const sections = [
  ['Names', 'Values of error.code in the skill registry.', codes.filter(isName)],
  [
    'Numbers',
    'Values of code in the authorization service and the resource API.',
    codes.filter(isNumber).sort((a, b) => Number(a) - Number(b)),
  ],
  [
    'Words',
    'Values of error in the authorization service, for errors without a number.',
    codes.filter((code) => !isNumber(code) && !isName(code)),
  ],
] as const

/** `/docs/errors`: every code once, with its meaning in each service. */
export const errorsText = (): string =>
  blocks(
    '# Error codes',
    'Meaning and remedy of each code.',
    ...sections.flatMap(([title, about, listed]) => [
      `## ${title}`,
      inline(about),
      ...listed.flatMap((listedCode) => [
        `### \`${listedCode}\``,
        ...errors.filter(({ code }) => code === listedCode).map(({ text }) => text),
      ]),
    ]),
  )

const endpoints = listRoutes(platformContract).flatMap((route) => {
  const { scopes } = metadataOf(route)
  const name = `${route.method} ${route.path}`
  return scopes ? [{ name, opened: openingScopes(scopes) }] : []
})

const levels = {
  user: 'It covers only the user’s own data',
  admin: 'Only an admin can allow it',
  master: 'Only the account’s owner can allow it',
  bot: 'It covers only the app’s own chat messages',
}

/** The scopes of one kind: what each allows, on whose data, and which endpoints it opens. */
const scopesOf = (title: string, about: string, areClassic: boolean) => [
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
    ...scopesOf(
      'Granular',
      'The form is <service>:<action>:<data>, optionally with :admin or :master at the end.',
      false,
    ),
    ...scopesOf(
      'Classic',
      'Only for apps that already have them. The console migrates an app to granular scopes.',
      true,
    ),
  )
