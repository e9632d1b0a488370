import {
  type OAuthErrorEntry,
  oauthErrors,
  oauthRemedies,
  type PlatformErrorEntry,
  platformErrors,
  platformRemedies,
  registryErrors,
  registryRemedies,
} from '@skillpass/contract'
import { blocks, fullStop, inline } from '../ui/markdown-text.ts'

interface Meaning {
  code: string | number
  status: number
  /** Value of `error` that accompanies a numeric code. */
  error?: string
  message: string
}

/** The entries of a service: each code with its meaning and remedy. */
const errorsOf = <E>(
  service: string,
  errors: Readonly<Record<string, E>>,
  remedies: Readonly<Record<string, string>>,
  read: (entry: E, name: string) => Meaning,
) =>
  Object.entries(errors).map(([name, entry]) => {
    const { code, status, error, message } = read(entry, name)
    const head = `${service}, ${status}${error === undefined ? '' : `, \`${error}\``}:`
    const text = `${head} ${fullStop(message)} ${fullStop(remedies[name] ?? '')}`
    return { code: String(code), text }
  })

const errors = [
  ...errorsOf('Skill registry', registryErrors, registryRemedies, (entry, code) => ({
    code,
    ...entry,
  })),
  ...errorsOf<OAuthErrorEntry>('Authorization service', oauthErrors, oauthRemedies, (entry) => {
    const { error, code = error, reason, description } = entry
    const message = reason === undefined ? description : `${reason}. ${description}`
    return { ...entry, code, message }
  }),
  ...errorsOf<PlatformErrorEntry>(
    'Resource API',
    platformErrors,
    platformRemedies,
    (entry) => entry,
  ),
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
