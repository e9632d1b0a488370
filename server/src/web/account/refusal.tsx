import { formatCodePoint, oauthErrors } from '@skillpass/contract'
import type { AuthorizationRefusal } from '../../oauth/authorize.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { AccountPage } from '../ui/account.tsx'
import { AskOperator } from '../ui/operator.tsx'
import { Section } from '../ui/parts.tsx'

const refusals = {
  malformed: [oauthErrors.invalid_request, 'This link is broken'],
  'unknown-client': [oauthErrors.invalid_client, 'This app does not exist'],
  disabled: [oauthErrors.app_disabled, 'This app is switched off'],
  'redirect-mismatch': [
    oauthErrors.redirect_uri_mismatch,
    'This app’s return address is not registered',
  ],
} as const

/**
 * The error page of an authorization request that must not redirect, for the user and the
 * developer.
 */
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
      <p class="after">
        <strong>Your own app?</strong> Compare it with the <a href="/console">developer console</a>,
        or read <a href={`/docs/errors#${error.code}`}>what error {error.code} means</a>.
        <br />
        <strong>Somebody else’s?</strong> Tell its makers, or <AskOperator verb="ask" />.
      </p>
    </AccountPage>
  )
}

function Why(refusal: AuthorizationRefusal) {
  if (refusal.kind === 'malformed') return refusal.message
  if (refusal.kind === 'unknown-client')
    return 'The link that brought you here names an unknown app.'
  const app = <strong dir="auto">{refusal.appName}</strong>
  if (refusal.kind === 'disabled') {
    const who = refusal.byPlatform ? 'The platform has disabled' : 'Its developer has switched off'
    return [`${who} `, app, '.']
  }
  return [app, ' wants to send you to an address that is not registered for it.']
}

type MismatchRefusal = Extract<AuthorizationRefusal, { kind: 'redirect-mismatch' }>

function Mismatch({ received, registered }: MismatchRefusal) {
  const difference = received === undefined ? undefined : findDifference(received, registered)
  const others = registered.filter((one) => one !== difference?.text).map((text) => ({ text }))
  const addresses = difference ? [difference, ...others] : others
  return (
    <Section id="addresses" title="For the app’s developer" class="stack">
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
        {addresses.map((address) => (
          <dd>
            <Address {...address} />
          </dd>
        ))}
      </dl>
      {received !== undefined && difference && (
        <p>
          They first differ at character {difference.same + 1}: received{' '}
          <strong>{nameCharacter(received, difference.same)}</strong>, registered{' '}
          <strong>{nameCharacter(difference.text, difference.same)}</strong>.
        </p>
      )}
      <p class="muted">
        <code>redirect_uri</code> must match a registered address exactly, including scheme, port,
        letter case and every slash.
      </p>
    </Section>
  )
}

/** Finds the registered address with the longest common prefix; undefined if none is registered. */
const findDifference = (received: string, registered: string[]) =>
  registered
    .map((text) => ({ text, same: sameLength(received, text) }))
    .sort((a, b) => b.same - a.same)
    .at(0)

function sameLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  // Do not split a surrogate pair.
  return /[\udc00-\udfff]/.test(one[length] ?? '') ? length - 1 : length
}

/** Names a character with its code point, since lookalikes are easily confused. */
function nameCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'nothing more'
  const char = String.fromCodePoint(point)
  return `“${markHidden(char)}” (${formatCodePoint(char)})`
}

const shownLength = 2000

/** An address, always left to right, with the first differing character marked. */
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
