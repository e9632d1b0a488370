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
import type { JSX } from 'preact'
import { ReferencePage } from './reference.tsx'

/** What a code means at one of the services. */
interface Meaning {
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

const entriesOf = (listed: readonly string[]) =>
  listed.map((code) => ({
    name: code,
    body: codes
      .get(code)
      ?.map((meaning) => <Explained key={`${meaning.service} ${meaning.message}`} {...meaning} />),
  }))

const all = [...codes.keys()]

/** Page of all errors, with an anchor for each code. */
export const errorsPage = (): JSX.Element => (
  <ReferencePage
    title="Error codes"
    description="Every error that Skillpass answers: what it means and how to mend it."
    lede="What each code means, and how to mend it."
    sections={[
      {
        title: 'Names',
        about: 'The skill registry: error.code.',
        entries: entriesOf(all.filter(isName)),
      },
      {
        title: 'Numbers',
        about: 'The authorization service and the resource API: code.',
        entries: entriesOf(all.filter(isNumber).sort((a, b) => Number(a) - Number(b))),
      },
      {
        title: 'Words',
        about: 'The authorization service where there is no number: error.',
        entries: entriesOf(all.filter((code) => !isNumber(code) && !isName(code))),
      },
    ]}
  />
)

const Explained = ({ service, status, word, message, remedy }: Meaning) => (
  <div>
    <p class="muted">
      {service} · {status}
      {word !== undefined && (
        <>
          {' · '}
          <code>{word}</code>
        </>
      )}
    </p>
    <p>{message}</p>
    <p>{remedy}</p>
  </div>
)
