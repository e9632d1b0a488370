import { visibleLine } from '@skillpass/contract'
import { LRUCache } from 'lru-cache'
import type { CallLog, Context } from '../runtime/context.ts'
import { type AppCall, insertCalls, keptCalls } from '../store/oauth/app-calls.ts'

const notes = new WeakMap<object, Partial<AppCall>>()
const add = (req: object, more: Partial<AppCall>) => notes.set(req, { ...notes.get(req), ...more })

/** Notes the app that sent a request, also if the request is refused later. */
export const noteApp = (req: object, appId: string, userId: string | null = null) =>
  appId !== '' && add(req, { appId, userId })

/** Tokens, secrets, codes and addresses, which a message could repeat as the name of a field. */
const secrets = /s[a-z]{2}_[0-9A-Za-z]{16,}|\bey[\w.-]{8,}|[^\s@]{1,64}@[\w.-]+/g

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
      const { appId, userId = null, error = null, message = null } = notes.get(req) ?? {}
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
