import type { JSX } from 'preact'
import { Page } from '../ui/layout.tsx'

/** A rule as its page tells it. */
export interface RuleOnPage {
  id: string
  level: 'advice' | 'notice' | 'warning'
  explanation: string
}

export interface LintPageData {
  rules: readonly RuleOnPage[]
  baseUrl: string
}

const meanings = {
  warning: 'warning: may harm whoever follows the skill',
  notice: 'notice: worth a look before use',
  advice: 'advice: for the author alone, no part of the verdict',
}

/** Page of the lint's rules, with an anchor for each. */
export function lintPage({ rules, baseUrl }: LintPageData): JSX.Element {
  return (
    <Page
      title="Lint rules"
      description="What the automatic checks of skills look for, and what each finding means."
      canonical={`${baseUrl}/docs/lint`}
    >
      <div class="stack">
        <header>
          <h1>Lint rules</h1>
          <p class="lede">
            Every version of a skill is checked when it is published. Its most serious finding is
            its verdict: clean, notice or warning. Nothing is rejected for it, and a clean verdict
            is no promise: read what you run.
          </p>
        </header>
        <ol class="lint-rules">
          {rules.map(({ id, level, explanation }) => (
            <li key={id} id={id}>
              <h2>
                <a class="mono" href={`#${id}`}>
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
