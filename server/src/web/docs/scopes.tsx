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
import { ReferencePage } from './reference.tsx'

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

const entriesOf = (areClassic: boolean) =>
  scopeCatalogue
    .filter(({ scope }) => isClassicScope(scope) === areClassic)
    .map(({ scope, level, sentence }) => ({
      name: scope,
      body: (
        <>
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
        </>
      ),
    }))

/** Page of all scopes, with an anchor for each. */
export const scopesPage = (): JSX.Element => (
  <ReferencePage
    title="Scopes"
    description="What each scope lets an app do, and which endpoints it opens."
    lede={
      <>
        What each lets an app do, and which endpoints it opens. An app asks for them at{' '}
        <code>{oauthContract.authorize.path}</code>.
      </>
    }
    sections={[
      {
        title: 'Granular',
        about: '<service>:<action>:<data>, with :admin or :master behind it.',
        entries: entriesOf(false),
      },
      {
        title: 'Classic',
        about: 'For apps that have them already; the console migrates an app to granular ones.',
        entries: entriesOf(true),
      },
    ]}
  />
)
