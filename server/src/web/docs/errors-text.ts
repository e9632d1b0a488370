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
  /** The word that comes with a number. */
  word?: string
  message: string
}

/** The errors of a service by their codes: what each means there, and its remedy. */
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
  ['Names', 'The skill registry: error.code.', codes.filter(isName)],
  [
    'Numbers',
    'The authorization service and the resource API: code.',
    codes.filter(isNumber).sort((a, b) => Number(a) - Number(b)),
  ],
  [
    'Words',
    'The authorization service where there is no number: error.',
    codes.filter((code) => !isNumber(code) && !isName(code)),
  ],
] as const

/** `/docs/errors`: every code once, with what it means at each service that has it. */
export const errorsText = (): string =>
  blocks(
    '# Error codes',
    'What each code means, and how to fix it.',
    ...sections.flatMap(([title, about, listed]) => [
      `## ${title}`,
      inline(about),
      ...listed.flatMap((listedCode) => [
        `### \`${listedCode}\``,
        ...errors.filter(({ code }) => code === listedCode).map(({ text }) => text),
      ]),
    ]),
  )
