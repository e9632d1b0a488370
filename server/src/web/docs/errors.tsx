import type { JSX } from 'preact'
import { errorSections, type Meaning, meaningsOf } from './error-codes.ts'
import { ReferencePage } from './reference.tsx'

/** Page of all errors, with an anchor for each code. */
export const errorsPage = (): JSX.Element => (
  <ReferencePage
    title="Error codes"
    description="Every error that Skillpass answers: what it means and how to fix it."
    markdownUrl="/docs/errors.md"
    lede="What each code means, and how to fix it."
    sections={errorSections.map(({ title, about, codes }) => ({
      title,
      about,
      entries: codes.map((name) => ({
        name,
        body: meaningsOf(name).map((meaning) => (
          <Explained key={`${meaning.service} ${meaning.message}`} {...meaning} />
        )),
      })),
    }))}
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
