import {
  type OAuthErrorEntry,
  type OAuthErrorName,
  oauthErrors,
  oauthRemedies,
  type PlatformErrorName,
  platformErrors,
  platformRemedies,
  type RegistryErrorCode,
  registryErrors,
  registryRemedies,
} from '@skillpass/contract'
import type { JSX } from 'preact'
import { Page } from '../ui/layout.tsx'

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
  const { code, ...rest } = platformErrors[name]
  const word = 'error' in rest ? rest.error : undefined
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

const sections = [
  {
    title: 'Names',
    about: 'The skill registry: error.code.',
    codes: [...codes.keys()].filter(isName),
  },
  {
    title: 'Numbers',
    about: 'The authorization service and the resource API: code.',
    codes: [...codes.keys()].filter(isNumber).sort((a, b) => Number(a) - Number(b)),
  },
  {
    title: 'Words',
    about: 'The authorization service where there is no number: error.',
    codes: [...codes.keys()].filter((code) => !isNumber(code) && !isName(code)),
  },
]

/** Page of all errors, with an anchor for each code. */
export function errorsPage(): JSX.Element {
  return (
    <Page
      title="Error codes"
      description="Every error that Skillpass answers: what it means and how to mend it."
    >
      <div class="stack reference">
        <header>
          <h1>Error codes</h1>
          <p class="lede">What each code means, and how to mend it.</p>
        </header>
        {sections.map(({ title, about, codes: listed }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <p class="muted">{about}</p>
            {listed.map((code) => (
              <article key={code} id={code}>
                <h3>
                  <a class="mono" href={`#${code}`}>
                    {code}
                  </a>
                </h3>
                {codes.get(code)?.map((meaning) => (
                  <Explained key={`${meaning.service} ${meaning.message}`} {...meaning} />
                ))}
              </article>
            ))}
          </section>
        ))}
      </div>
    </Page>
  )
}

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
