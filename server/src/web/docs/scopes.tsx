import { oauthContract } from '@skillpass/contract'
import type { JSX } from 'preact'
import { ReferencePage } from './reference.tsx'
import { scopeSections } from './scope-entries.ts'

/** Page of all scopes, with an anchor for each. */
export const scopesPage = (): JSX.Element => (
  <ReferencePage
    title="Scopes"
    description="What each scope lets an app do, and which endpoints it opens."
    markdownUrl="/docs/scopes.md"
    lede={
      <>
        What each lets an app do, and which endpoints it opens. An app asks for them at{' '}
        <code>{oauthContract.authorize.path}</code>.
      </>
    }
    sections={scopeSections.map(({ title, about, scopes }) => ({
      title,
      about,
      entries: scopes.map(({ scope, sentence, level, endpoints }) => ({
        name: scope,
        body: (
          <>
            <p>{sentence}</p>
            <p class="muted">{level}.</p>
            <ul>
              {endpoints.map((name) => (
                <li key={name}>
                  <code>{name}</code>
                </li>
              ))}
            </ul>
          </>
        ),
      })),
    }))}
  />
)
