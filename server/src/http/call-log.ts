import { visibleLine } from '@skillpass/contract'
import { LRUCache } from 'lru-cache'
import type { CallLog, Context } from '../runtime/context.ts'
import { type AppCall, insertCalls, keptCalls } from '../store/oauth/app-calls.ts'

type Notes = Partial<AppCall> & { readonly scopes?: readonly string[] }

const notes = new WeakMap<object, Notes>()
const add = (req: object, more: Notes) => notes.set(req, { ...notes.get(req), ...more })

/** Returns what is known of a request: its app, user, scopes and error. */
export const notesOf = (req: object): Notes => notes.get(req) ?? {}

/** Notes the app that sent a request, also if the request is refused later. */
export const noteApp = (
  req: object,
  { appId, userId = null, scopes = [] }: Pick<Notes, 'userId' | 'scopes'> & { appId: string },
) => appId !== '' && add(req, { appId, userId, scopes })

/** Tokens, secrets and codes. */
export const secretForms = /s[a-z]{2}_[0-9A-Za-z]{16,}|\bey[\w.-]{8,}/g

/** A message could repeat them, and addresses, as the name of a field. */
const secrets = new RegExp(`${secretForms.source}|[^\\s@]{1,64}@[\\w.-]+`, 'g')

/** Notes why a request failed. `error` is a key of the contract's error tables. */
export const noteFault = (req: object, error: string, message: string) =>
  add(req, { error, message: visibleLine(message.replace(secrets, '…')).slice(0, 300) })

/** Apps whose calls wait to be written. Beyond it, those of the least recent apps are lost. */
const maxApps = 1000

/** Calls per transaction. Other writes run in between. */
const chunk = 200

/**
 * Creates a log of the last calls of each app. Calls are written every second, so that requests do
 * not wait for writes. A crash loses at most the last interval.
 */
export function createCallLog(ctx: Pick<Context, 'db' | 'clock' | 'random'>): CallLog {
  const { db, clock, random } = ctx
  const pending = new LRUCache<string, AppCall[]>({ max: maxApps })
  let flushing: Promise<void> = Promise.resolve()
  const process = random.uuid()
  let count = 0

  const keep = (call: AppCall) => {
    const calls = pending.get(call.appId) ?? []
    if (calls.push(call) > keptCalls) calls.shift()
    pending.set(call.appId, calls)
  }

  async function write() {
    const calls = [...pending.values()].flat()
    pending.clear()
    for (let start = 0; start < calls.length; start += chunk) {
      await db
        .write((trx) => insertCalls(trx, calls.slice(start, start + chunk)))
        .catch((error: unknown) => {
          calls.slice(start).forEach(keep)
          throw error
        })
    }
  }

  return {
    note(req, call) {
      const { appId, userId = null, error = null, message = null } = notesOf(req)
      if (appId === undefined) return
      // The number orders the calls of a millisecond.
      const id = `${process} ${String(++count).padStart(12, '0')}`
      keep({ id, at: clock.now(), appId, userId, ...call, error, message })
    },
    flush() {
      flushing = flushing.then(write, write)
      return flushing
    },
  }
}
