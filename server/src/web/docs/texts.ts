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
import { blocks, fullStop, inline, table } from '../ui/markdown.tsx'

type ErrorTexts = Partial<Record<'error' | 'message' | 'reason' | 'description', string>>

/** The errors of any service. */
type ErrorTable = Readonly<Record<string, ErrorTexts & { status: number; code?: number }>>
type Remedies = Readonly<Record<string, string>>

/** The rows of a service: each code with its meaning and remedy. */
const errorsOf = (service: string, errors: ErrorTable, remedies: Remedies) =>
  Object.entries(errors).map(([name, { code, status, error, message, reason, description }]) => {
    const meaning = message ?? (reason === undefined ? '' : `${reason}. `) + description
    const where = `${service}, ${status}${error === undefined ? '' : `, \`${error}\``}`
    const texts = [where, fullStop(meaning), fullStop(remedies[name] ?? '')]
    return { code: String(code ?? error ?? name), texts }
  })

const errors = [
  ...errorsOf('Registry', registryErrors, registryRemedies),
  ...errorsOf('Authorization', oauthErrors, oauthRemedies),
  ...errorsOf('Resource API', platformErrors, platformRemedies),
]

const codes = [...new Set(errors.map(({ code }) => code))]
const isNumber = (code: string) => /^\d+$/.test(code)
const isName = (code: string) => /^[A-Z_]+$/.test(code)

const sections = [
  ['Skill registry', 'Values of `error.code`.', codes.filter(isName)],
  [
    'Authorization service and resource API',
    'Values of `code`.',
    codes.filter(isNumber).sort((a, b) => Number(a) - Number(b)),
  ],
  [
    'Authorization service, without a number',
    'Values of `error` in answers that have no `code`.',
    codes.filter((code) => !isNumber(code) && !isName(code)),
  ],
] as const

/** `/docs/errors`: every code once for each service, with its meaning and remedy. */
export const errorsText = (): string =>
  blocks(
    '# Error codes',
    'What each code means, and what to do about it.',
    ...sections.flatMap(([title, about, listed]) => [
      `## ${title}`,
      about,
      table(
        ['Code', 'Service, status', 'Meaning', 'What to do'],
        listed.flatMap((listedCode) =>
          errors
            .filter(({ code }) => code === listedCode)
            // Only the first row of a code is its anchor.
            .map(({ texts }, at) => [
              at === 0 ? `\`${listedCode}\`` : inline(listedCode),
              ...texts,
            ]),
        ),
      ),
    ]),
  )

const endpoints = listRoutes(platformContract).flatMap((route) => {
  const { scopes } = metadataOf(route)
  const name = `${route.method} ${route.path}`
  return scopes ? [{ name, opened: openingScopes(scopes) }] : []
})

const columns = ['user', 'admin', 'master'] as const

/** A row: the three levels of a scope, and the endpoints that they open. */
function scopeRow(levels: readonly (typeof scopeCatalogue)[number][]) {
  const opened = endpoints.flatMap(({ name, opened }) => {
    const opening = levels.filter(({ scope }) => opened.includes(scope))
    if (opening.length === 0) return []
    const only = opening.length < levels.length
    return `\`${name}\`${only ? ` (${opening.map(({ level }) => level).join(', ')})` : ''}`
  })
  const cell = (column: (typeof columns)[number]) => {
    const found = levels.find(({ level }) => (level === 'bot' ? 'user' : level) === column)
    return found ? `\`${found.scope}\` ${fullStop(found.sentence)}` : '–'
  }
  return [...columns.map(cell), opened.join(' ')]
}

/** The scopes of one kind. */
function scopesOf(title: string, about: string, areClassic: boolean) {
  const listed = scopeCatalogue.filter(({ scope }) => isClassicScope(scope) === areClassic)
  const names = new Set(listed.map(({ scope }) => baseOf(scope)))
  const head = ['The user’s own data', 'The account', 'Its sub-accounts', 'Endpoints']
  const rows = [...names].map((name) =>
    scopeRow(listed.filter(({ scope }) => baseOf(scope) === name)),
  )
  return [`## ${title}`, inline(about), table(head, rows)]
}

const baseOf = (scope: string) => scope.replace(/:(admin|master)$/, '')

/** `/docs/scopes`: each scope with its levels and the endpoints that it opens. */
export const scopesText = (): string =>
  blocks(
    '# Scopes',
    `What an app may do, and which endpoints that opens. An app requests scopes at \`${oauthContract.authorize.path}\`. A user allows scopes for their own data, an admin those for the account, and its owner those for sub-accounts. The chatbot scope covers only the app’s own messages.`,
    ...scopesOf('Granular', 'Use these. The form is <service>:<action>:<data>.', false),
    ...scopesOf(
      'Classic',
      'Only for apps that already have them. The console migrates an app to granular scopes.',
      true,
    ),
  )
