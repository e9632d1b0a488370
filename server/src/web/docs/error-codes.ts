import {
  type OAuthErrorEntry,
  type OAuthErrorName,
  oauthErrors,
  oauthRemedies,
  type PlatformErrorEntry,
  type PlatformErrorName,
  platformErrors,
  platformRemedies,
  type RegistryErrorCode,
  registryErrors,
  registryRemedies,
} from '@skillpass/contract'

/** What a code means at one of the services. */
export interface Meaning {
  readonly service: string
  readonly status: number
  /** Word that comes with the number. */
  readonly word?: string | undefined
  readonly message: string
  readonly remedy: string
}

const keysOf = <K extends string>(record: Record<K, unknown>) =>
  Object.keys(record).filter((key): key is K => key in record)

const registry = keysOf<RegistryErrorCode>(registryErrors).map((code) => ({
  code,
  meaning: { service: 'Skill registry', ...registryErrors[code], remedy: registryRemedies[code] },
}))

const oauth = keysOf<OAuthErrorName>(oauthErrors).map((name) => {
  const { status, error, code, reason, description }: OAuthErrorEntry = oauthErrors[name]
  const message = reason === undefined ? description : `${reason}. ${description}`
  const service = 'Authorization service'
  const meaning = { service, status, word: error, message, remedy: oauthRemedies[name] }
  return { code: String(code ?? error), meaning }
})

const platform = keysOf<PlatformErrorName>(platformErrors).map((name) => {
  const { code, error: word, ...rest }: PlatformErrorEntry = platformErrors[name]
  const meaning = { service: 'Resource API', ...rest, word, remedy: platformRemedies[name] }
  return { code: String(code), meaning }
})

/** Every code once, with what it means wherever it occurs: names, then numbers, then words. */
const codes = new Map<string, Meaning[]>()
for (const { code, meaning } of [...registry, ...oauth, ...platform]) {
  codes.set(code, [...(codes.get(code) ?? []), meaning])
}

const isNumber = (code: string) => /^\d+$/.test(code)
const isName = (code: string) => /^[A-Z_]+$/.test(code)

const all = [...codes.keys()]

/** The codes by kind: names, numbers, words, each with what it means wherever it occurs. */
export const errorSections = [
  {
    title: 'Names',
    about: 'The skill registry: error.code.',
    codes: all.filter(isName),
  },
  {
    title: 'Numbers',
    about: 'The authorization service and the resource API: code.',
    codes: all.filter(isNumber).sort((a, b) => Number(a) - Number(b)),
  },
  {
    title: 'Words',
    about: 'The authorization service where there is no number: error.',
    codes: all.filter((code) => !isNumber(code) && !isName(code)),
  },
] as const

/** What a code means, at each service that has it. */
export const meaningsOf = (code: string): readonly Meaning[] => codes.get(code) ?? []
