import { formatCodePoint, oauthErrors } from '@skillpass/contract'
import type { AuthorizationRefusal } from '../../oauth/authorize.ts'
import { markHidden } from '../readme/hidden.ts'
import { AccountPage } from '../ui/layout.tsx'

const refusals = {
  malformed: [oauthErrors.invalid_request, 'This link is broken'],
  'unknown-client': [oauthErrors.invalid_client, 'This app is not known'],
  disabled: [oauthErrors.app_disabled, 'This app is switched off'],
  'redirect-mismatch': [oauthErrors.redirect_uri_mismatch, 'This app sends you to a wrong address'],
} as const

/** The page of an authorization request that goes nowhere, for its user and for the app's developer. */
export function refusalPage(refusal: AuthorizationRefusal) {
  const [error, title] = refusals[refusal.kind]
  return (
    <AccountPage title={title} class="sheet wide">
      <header>
        <p class="crumbs mono">
          Error {error.code}: {error.reason}
        </p>
        <h1>{title}</h1>
      </header>
      <p>
        <Why {...refusal} /> Nothing was shared, and nothing was sent to the app.
      </p>
      {refusal.kind === 'redirect-mismatch' && <Mismatch {...refusal} />}
      {refusal.kind === 'unknown-client' && (
        <p class="muted">
          If this is your app: compare <code>client_id</code> with the one in the developer console,
          in the environment that you use.
        </p>
      )}
    </AccountPage>
  )
}

function Why(refusal: AuthorizationRefusal) {
  if (refusal.kind === 'malformed') return <>{refusal.message}</>
  if (refusal.kind === 'unknown-client') {
    return <>The link that brought you here names an app that does not exist.</>
  }
  const app = <strong dir="auto">{refusal.appName}</strong>
  if (refusal.kind === 'disabled') {
    const who = refusal.byPlatform ? 'The platform has disabled' : 'Its developer has switched off'
    return [`${who} `, app, '.']
  }
  return [app, ' wants to send you to an address that is not registered for it.']
}

function Mismatch({
  received,
  registered,
}: Extract<AuthorizationRefusal, { kind: 'redirect-mismatch' }>) {
  const difference = received === undefined ? undefined : findDifference(received, registered)
  const others = registered.filter((one) => one !== difference?.registered)
  return (
    <section class="stack" aria-labelledby="addresses">
      <h2 id="addresses">For the app’s developer</h2>
      <dl class="compare">
        <dt>Received</dt>
        <dd>
          {received === undefined ? (
            <em>no redirect_uri</em>
          ) : (
            <Address text={received} same={difference?.same} />
          )}
        </dd>
        <dt>Registered</dt>
        {registered.length === 0 && (
          <dd>
            <em>no address yet</em>
          </dd>
        )}
        {difference && (
          <dd>
            <Address text={difference.registered} same={difference.same} />
          </dd>
        )}
        {others.map((one) => (
          <dd key={one}>
            <Address text={one} />
          </dd>
        ))}
      </dl>
      {received !== undefined && difference && (
        <p>
          They first differ at character {difference.same + 1}: received{' '}
          <strong>{nameCharacter(received, difference.same)}</strong>, registered{' '}
          <strong>{nameCharacter(difference.registered, difference.same)}</strong>.
        </p>
      )}
      <p class="muted">
        <code>redirect_uri</code> must match a registered address to the letter: scheme, port, case
        and every slash.
      </p>
    </section>
  )
}

/** Where an address first differs from the registered one that is nearest to it. */
interface Difference {
  registered: string
  /** Length of what both begin with. */
  same: number
}

/** Compares an address with the registered ones; nothing where there is none to compare with. */
function findDifference(received: string, registered: string[]): Difference | undefined {
  return registered
    .map((one) => ({ registered: one, same: sameLength(received, one) }))
    .sort((a, b) => b.same - a.same)[0]
}

function sameLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  // Half of a character of two halves may be the same.
  return /[\udc00-\udfff]/.test(one[length] ?? '') ? length - 1 : length
}

/** A character with its number: it may be mistaken for another. */
function nameCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'nothing more'
  const char = String.fromCodePoint(point)
  return `“${markHidden(char)}” (${formatCodePoint(char)})`
}

/** More of an address than this tells nobody anything. */
const shownLength = 2000

/** An address, left to right whatever it holds, with the character marked where it differs. */
function Address({ text, same }: { text: string; same?: number | undefined }) {
  const shown = text.slice(0, shownLength)
  const end = text.length > shownLength ? '…' : ''
  const at = same ?? shown.length
  const differing = String.fromCodePoint(...[shown.codePointAt(at) ?? []].flat())
  return (
    <bdi class="mono" dir="ltr">
      {markHidden(shown.slice(0, at))}
      {same !== undefined && (
        <mark>{differing === '' ? '(ends here)' : markHidden(differing)}</mark>
      )}
      {markHidden(shown.slice(at + differing.length)) + end}
    </bdi>
  )
}
