import type { JSX } from 'preact'
import { Page } from '../ui/layout.tsx'

/** A rule as its page tells it. */
export interface RuleOnPage {
  id: string
  level: 'advice' | 'notice' | 'warning'
  explanation: string
  example: string
  remedy: string
}

/** Address of a rule's page. */
export const rulePath = (rule: string): string => `/docs/lint/${rule}`

export interface LintPageData {
  rules: readonly RuleOnPage[]
  baseUrl: string
}

/** What a finding of each level means. */
export const meanings = {
  warning: 'Warning: following the skill may cause harm.',
  notice: 'Notice: worth reading before use.',
  advice: 'Advice for the author; it does not affect the verdict.',
}

/** Page of the lint's rules, with an anchor for each and a link to its own page. */
export function lintPage({ rules, baseUrl }: LintPageData): JSX.Element {
  return (
    <Page
      title="Lint rules"
      description="What the automatic checks of skills look for, and what each finding means."
      canonical={`${baseUrl}/docs/lint`}
      markdownUrl="/docs/lint.md"
    >
      <div class="stack">
        <header>
          <h1>Lint rules</h1>
          <p class="lede">
            Every version is checked when it is published, with all its files. The most serious
            finding becomes the verdict: clean, notice or warning. Checks never block a publish, and
            a clean verdict is no guarantee: read what you run.
          </p>
        </header>
        <ol class="lint-rules">
          {rules.map(({ id, level, explanation }) => (
            <li key={id} id={id}>
              <h2>
                <a class="mono" href={rulePath(id)}>
                  {id}
                </a>
              </h2>
              <p>{explanation}</p>
              <p class="muted">{meanings[level]}</p>
            </li>
          ))}
        </ol>
      </div>
    </Page>
  )
}

/** Page of one rule: why it exists, how a finding looks and what to do about it. */
export function lintRulePage({ rule, baseUrl }: { rule: RuleOnPage; baseUrl: string }) {
  const { id, level, explanation, example, remedy } = rule
  return (
    <Page
      title={`Lint rule ${id}`}
      description={explanation}
      canonical={`${baseUrl}${rulePath(id)}`}
      markdownUrl={`${rulePath(id)}.md`}
    >
      <div class="stack">
        <header>
          <h1>{id}</h1>
          <p class="lede">{explanation}</p>
          <p class="muted">{meanings[level]}</p>
        </header>
        <section aria-labelledby="example">
          <h2 id="example">Example</h2>
          <pre class="plain">{example}</pre>
        </section>
        <section aria-labelledby="remedy">
          <h2 id="remedy">What to do</h2>
          <p>{remedy}</p>
        </section>
        <p>
          <a href="/docs/lint">See all rules</a>
        </p>
      </div>
    </Page>
  )
}
