import {
  isClassicScope,
  oauthContract,
  openingScopes,
  platformContract,
  scopeCatalogue,
} from '@skillpass/contract'
import type { JSX } from 'preact'
import { listRoutes } from '../../http/endpoints.ts'
import { hasMetadata } from '../../http/route.ts'
import { Page } from '../ui/layout.tsx'

/** What each endpoint that takes an access token asks for. */
const endpoints = listRoutes(platformContract)
  .filter(hasMetadata)
  .flatMap(({ method, path, metadata: { scopes } }) =>
    scopes ? [{ name: `${method} ${path}`, opened: openingScopes(scopes) }] : [],
  )

const levels = {
  user: "The user's own data",
  admin: 'The whole account; an admin allows it',
  master: 'The sub-accounts; the owner of the account allows it',
  bot: 'Chat messages of the app itself',
}

const sections = [
  {
    title: 'Granular',
    about: '<service>:<action>:<data>, with :admin or :master behind it.',
    scopes: scopeCatalogue.filter(({ scope }) => !isClassicScope(scope)),
  },
  {
    title: 'Classic',
    about: 'For apps that have them already; the console migrates an app to granular ones.',
    scopes: scopeCatalogue.filter(({ scope }) => isClassicScope(scope)),
  },
]

/** Page of all scopes, with an anchor for each. */
export function scopesPage(): JSX.Element {
  return (
    <Page
      title="Scopes"
      description="What each scope lets an app do, and which endpoints it opens."
    >
      <div class="stack reference">
        <header>
          <h1>Scopes</h1>
          <p class="lede">
            What each lets an app do, and which endpoints it opens. An app asks for them at{' '}
            <code>{oauthContract.authorize.path}</code>.
          </p>
        </header>
        {sections.map(({ title, about, scopes }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <p class="muted">{about}</p>
            {scopes.map(({ scope, level, sentence }) => (
              <article key={scope} id={scope}>
                <h3>
                  <a class="mono" href={`#${scope}`}>
                    {scope}
                  </a>
                </h3>
                <p>{sentence}</p>
                <p class="muted">{levels[level]}.</p>
                <ul>
                  {endpoints
                    .filter(({ opened }) => opened.includes(scope))
                    .map(({ name }) => (
                      <li key={name}>
                        <code>{name}</code>
                      </li>
                    ))}
                </ul>
              </article>
            ))}
          </section>
        ))}
      </div>
    </Page>
  )
}
