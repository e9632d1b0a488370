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
  code: string
  status: number
  /** Value of `error` that accompanies a numeric code. */
  word?: string
  message: string
}

/** The entries of a service: each code with its meaning and remedy. */
const errorsOf = <E>(
  service: string,
  errors: Readonly<Record<string, E>>,
  remedies: Readonly<Record<string, string>>,
  read: (error: E, name: string) => Meaning,
) =>
  Object.entries(errors).map(([name, error]) => {
    const { code, status, word, message } = read(error, name)
    const head = `${service}, ${status}${word === undefined ? '' : `, \`${word}\``}:`
    return { code, text: `${head} ${fullStop(message)} ${fullStop(remedies[name] ?? '')}` }
  })

const errors = [
  ...errorsOf('Skill registry', registryErrors, registryRemedies, (error, code) => ({
    code,
    ...error,
  })),
  ...errorsOf<OAuthErrorEntry>('Authorization service', oauthErrors, oauthRemedies, (entry) => {
    const { status, error: word, code = word, reason, description } = entry
    const message = reason === undefined ? description : `${reason}. ${description}`
    return { code: String(code), status, word, message }
  }),
  ...errorsOf<PlatformErrorEntry>('Resource API', platformErrors, platformRemedies, (entry) => {
    const { code, error: word, ...rest } = entry
    return { code: String(code), ...(word !== undefined && { word }), ...rest }
  }),
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
