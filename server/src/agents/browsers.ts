import { createHash } from 'node:crypto'
import { agentParty, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import {
  createDatedSecret,
  dateOf,
  hashSecret,
  parseSecret,
  type Secret,
} from '../secrets/secrets.ts'
import { formatUserCode, makeUserCode, readUserCode } from '../secrets/user-code.ts'
import { findAgentByKey, type KeyHolder } from '../store/agents/api-keys.ts'
import * as store from '../store/agents/browsers.ts'
import { hasExpired, requireLiveCaller } from './api-keys.ts'

export type { KeyHolder }

/** How long a browser stays signed in, and how long its code can be confirmed, ms. */
export const browserLifetime = 12 * 3_600_000
const codeLifetime = 600_000

/**
 * Signs a browser in with an API key, or without one makes a browser that shows a code until an
 * agent signs it in. Returns its secret, or undefined for a key that does not work.
 */
export async function startBrowser(ctx: Context, apiKey?: string): Promise<Secret | undefined> {
  const now = ctx.steadyNow()
  const secret = createDatedSecret('browser', ctx.random, now)
  const browser = { key: hashSecret(secret), network: ctx.network ?? '' }
  if (apiKey === undefined) {
    const waiting = { apiKeyId: null, code: codeOf(secret), expiresAt: now + codeLifetime }
    await ctx.db.write((trx) => store.insertBrowser(trx, { ...browser, ...waiting }))
    return secret
  }
  const parsed = parseSecret('apiKey', apiKey)
  const holder = parsed && (await findAgentByKey(ctx.db.read, { keyHash: hashSecret(parsed) }))
  if (!holder || hasExpired(ctx, holder)) return undefined
  const signedIn = { apiKeyId: holder.keyId, code: null, expiresAt: now + browserLifetime }
  await ctx.db.write(async (trx) => {
    await store.insertBrowser(trx, { ...browser, ...signedIn })
    await recordSignIn(ctx, trx, holder)
  })
  return secret
}

/** Returns the code that a browser shows, or undefined after its time. */
export function shownCode(ctx: Context, text: string): string | undefined {
  const secret = parseSecret('browser', text)
  const end = secret && dateOf(hashSecret(secret)) * 1000 + codeLifetime
  return secret && end && end > ctx.steadyNow() ? formatUserCode(codeOf(secret)) : undefined
}

/** The code follows from the secret, so that the page can show it again. */
const codeOf = (secret: Secret) =>
  makeUserCode({ bytes: () => createHash('sha256').update(`code ${secret}`).digest() })

/** Signs the browser in that shows a code. Throws NOT_FOUND. */
export async function signInBrowser(ctx: Context, caller: KeyHolder, text: string) {
  const now = ctx.steadyNow()
  const code = readUserCode(text) ?? ''
  const signedIn = { apiKeyId: caller.keyId, expiresAt: now + browserLifetime }
  return ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, caller)
    const browser = await store.signInBrowser(trx, { code, now, ...signedIn })
    if (!browser) {
      fail('NOT_FOUND', 'No browser shows this code. It may have expired: check the page.')
    }
    await recordSignIn(ctx, trx, caller)
    return { network: browser.network || null }
  })
}

const recordSignIn = (ctx: Context, trx: Db, { id, keyId }: KeyHolder) =>
  record(ctx, trx, {
    action: 'agent.signed-in',
    who: agentParty(id),
    whom: { kind: 'api-key', id: keyId },
  })

/** Finds the agent that is signed in to a browser, with the key that it used. */
export async function findBrowserAgent(ctx: Context, text: string): Promise<KeyHolder | undefined> {
  const secret = parseSecret('browser', text)
  if (!secret) return undefined
  const browser = { key: hashSecret(secret), now: ctx.steadyNow() }
  const holder = await store.findAgentByBrowser(ctx.db.read, browser)
  return holder && !hasExpired(ctx, holder) ? holder : undefined
}

export async function endBrowser(ctx: Context, text: string): Promise<void> {
  const secret = parseSecret('browser', text)
  if (secret) await ctx.db.write((trx) => store.deleteBrowser(trx, hashSecret(secret)))
}
