import { callback } from '../../support/apps.ts'
import {
  type Answer,
  accountToken,
  exchange,
  type Http,
  me,
  poll,
  post,
  refresh,
  refusal,
  revoke,
  tokensOf,
} from '../../support/oauth-client.ts'
import { approveDevice, authorizeCode, hiddenFields, type Session } from '../../support/people.ts'
import { pick } from '../../support/random.ts'
import type { LoadApp, LoadFixture } from './fixture.ts'
import { aliveOf, type Fate, type GrantNotes, type PairNotes } from './token-notes.ts'

/** What an act of a client works with. */
export interface Turn {
  readonly server: Http
  readonly fixture: LoadFixture
  readonly app: LoadApp
  readonly browser: Session
  readonly pair: PairNotes
  readonly random: () => number
  /** Notes a write of this kind that was acknowledged. */
  done(kind: string): void
  /** Notes an answer that nothing explains. */
  wrong(what: string): void
}

/** No answer came to a request. */
export class NoAnswer extends Error {}

/** The answer was 503, which says nothing of what became of a write. */
export class Unavailable extends Error {}

/** Whether a write was acknowledged; any other answer is wrong. */
function isGood({ wrong }: Turn, answer: Answer): boolean {
  if (answer.status !== 200) wrong(refusal(answer))
  return answer.status === 200
}

async function consent({ browser, app, pair, done }: Turn): Promise<string> {
  const asked = { client_id: app.clientId, redirect_uri: callback }
  const { code } = await authorizeCode(browser, asked)
  pair.codes.set(code, 'alive')
  done('consent')
  return code
}

async function authorize(turn: Turn): Promise<void> {
  const { server, app, pair, done } = turn
  const code = pick(aliveOf(pair.codes), turn.random) ?? (await consent(turn))
  pair.codes.set(code, 'unknown')
  const answer = await exchange(server, app, code)
  if (!isGood(turn, answer)) return
  pair.codes.delete(code)
  pair.grants.push(newGrant(answer, { kind: 'code', secret: code }))
  done('exchange')
}

const newGrant = (answer: Answer, from: GrantNotes['from']): GrantNotes => {
  const { access_token, refresh_token: latest } = tokensOf(answer)
  return { fate: 'alive', from, access: [access_token], latest, used: [], unsure: undefined }
}

async function keepCode(turn: Turn): Promise<void> {
  await consent(turn)
}

async function renew(turn: Turn): Promise<void> {
  const { server, app, pair, random, done } = turn
  const unsure = pair.grants.find((one) => one.fate === 'alive' && one.unsure)
  if (unsure?.unsure) return renewAgain(turn, unsure, unsure.unsure)
  const living = pair.grants.filter(({ fate, latest }) => fate === 'alive' && latest)
  const grant = pick(living, random)
  const token = grant?.latest
  if (!grant || !token) return authorize(turn)
  grant.latest = undefined
  grant.unsure = token
  const answer = await refresh(server, app, token)
  if (!isGood(turn, answer)) return
  renewed(grant, token, answer)
  done('refresh')
}

function renewed(grant: GrantNotes, token: string, answer: Answer): void {
  const { access_token, refresh_token } = tokensOf(answer)
  grant.used.push(token)
  grant.access.push(access_token)
  grant.latest = refresh_token
  grant.unsure = undefined
}

/**
 * Sends a refresh token again that got no answer, or 503. Either it was not used, and now is; or it
 * was, and this is told as a race: the grant lives on with its access tokens, and its user is to be
 * asked again.
 */
async function renewAgain(
  { server, app, done, wrong }: Turn,
  grant: GrantNotes,
  token: string,
): Promise<void> {
  const answer = await refresh(server, app, token)
  if (answer.status === 200) {
    renewed(grant, token, answer)
    done('refresh sent again')
    return
  }
  if (refusal(answer) !== '400 invalid_grant 4735') wrong(refusal(answer))
  grant.unsure = undefined
  grant.used.push(token)
  const { status } = await me(server, grant.access[0] ?? '')
  if (status !== 200) wrong(`the grant's access token answers ${status}`)
}

async function revokeGrant(turn: Turn): Promise<void> {
  const { server, app, pair, random, done } = turn
  const living = pair.grants.filter(({ fate }) => fate === 'alive')
  const grant = pick(living, random)
  const token = grant && pick([...grant.access, grant.latest ?? grant.access[0] ?? ''], random)
  if (!grant || !token) return authorize(turn)
  grant.fate = 'unknown'
  const answer = await revoke(server, app, token)
  if (!isGood(turn, answer)) return
  grant.fate = 'ended'
  done('revocation')
}

async function askForAccount(turn: Turn): Promise<void> {
  const { server, fixture, pair, done } = turn
  const answer = await accountToken(server, fixture.reporter, fixture.accountId)
  if (!isGood(turn, answer)) return
  pair.accountTokens.set(tokensOf(answer).access_token, 'alive')
  done('account token')
}

async function revokeAccountToken(turn: Turn): Promise<void> {
  const { server, fixture, pair, random, done } = turn
  const token = pick(aliveOf(pair.accountTokens), random)
  if (token === undefined) return askForAccount(turn)
  pair.accountTokens.set(token, 'unknown')
  const answer = await revoke(server, fixture.reporter, token)
  if (!isGood(turn, answer)) return
  pair.accountTokens.set(token, 'ended')
  done('revocation of an account token')
}

async function allowDevice(turn: Turn): Promise<void> {
  const { server, browser, app, pair, done } = turn
  const asked = await post(server, '/oauth/devicecode', { client_id: app.clientId }, { app })
  if (!isGood(turn, asked)) return
  const status = await approveDevice(browser, String(asked.body.user_code))
  if (status !== 200) return turn.wrong(String(status))
  pair.devices.set(String(asked.body.device_code), 'alive')
  done('device approval')
}

async function pollDevice(turn: Turn): Promise<void> {
  const { server, app, pair, random, done } = turn
  const code = pick(aliveOf(pair.devices), random)
  if (code === undefined) return allowDevice(turn)
  pair.devices.set(code, 'unknown')
  const answer = await poll(server, app, code)
  if (!isGood(turn, answer)) return
  pair.devices.delete(code)
  pair.grants.push(newGrant(answer, { kind: 'device', secret: code }))
  done('device tokens')
}

async function removeApp(turn: Turn): Promise<void> {
  const { browser, app, pair, done, wrong } = turn
  if (pair.grants.every(({ fate }) => fate !== 'alive')) return authorize(turn)
  const page = await (await browser.get('/my/apps')).text()
  const form = page.split('<form').find((one) => one.includes(app.id))
  if (form === undefined) return wrong('the page does not list the app')
  const living = pair.grants.filter(({ fate }) => fate === 'alive')
  // Since the page was asked for, a snapshot may have set them aside.
  if (living.length === 0 || !pair.isRemovable) return
  const action = '/my/apps/remove'
  const fields = hiddenFields(`<form${form}`, action)
  const codes = [pair.codes, pair.devices].map((fates) => ({ fates, alive: aliveOf(fates) }))
  const setAll = (fate: Fate) => {
    for (const grant of living) grant.fate = fate
    for (const { fates, alive } of codes) for (const secret of alive) fates.set(secret, fate)
  }
  setAll('unknown')
  const { status } = await browser.post(action, fields)
  if (status === 303) {
    setAll('ended')
    done('removal of an app')
  } else wrong(String(status))
}

/** What clients do, in an order in which each finds what it needs wherever a client begins. */
export const acts: readonly ((turn: Turn) => Promise<void>)[] = [
  authorize,
  renew,
  removeApp,
  allowDevice,
  pollDevice,
  renew,
  askForAccount,
  revokeAccountToken,
  authorize,
  renew,
  revokeGrant,
  allowDevice,
  keepCode,
  renew,
  askForAccount,
]
