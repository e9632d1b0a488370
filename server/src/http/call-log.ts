import { type LoggedRequest, visibleLine } from '@skillpass/contract'
import { LRUCache } from 'lru-cache'
import type { CallLog, Context } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import { type AppCall, insertCalls, keptCalls } from '../store/oauth/app-calls.ts'
import { withoutSecrets } from './redact.ts'

interface Note extends Partial<Pick<AppCall, 'appId' | 'userId' | 'error' | 'message'>> {
  readonly scopes?: readonly string[]
}

const notes = new WeakMap<object, Note>()
const add = (req: object, more: Note) => notes.set(req, { ...notes.get(req), ...more })

/** Notes the app that sent a request, also if the request is refused later. */
export const noteApp = (
  req: object,
  { appId, userId = null, scopes = [] }: Pick<Note, 'userId' | 'scopes'> & { appId: string },
) => appId !== '' && add(req, { appId, userId, scopes })

/** Returns the noted app and user of a request. */
export const senderOf = (req: object): Pick<Note, 'appId' | 'userId'> => notes.get(req) ?? {}

/** A message could repeat secrets and addresses as the name of a field. */
const addresses = /[^\s@]{1,64}@[\w.-]+/g

/** Notes why a request failed. `error` is a key of the contract's error tables. */
export function noteFault(req: object, error: string, message: string) {
  const shown = withoutSecrets(message).replace(addresses, '…')
  add(req, { error, message: visibleLine(shown).slice(0, 300) })
}

/** Receives a request that has ended, with the ids of its app and user. */
export type CallObserver = (request: LoggedRequest) => void

/** Apps whose calls wait to be written. Beyond it, those of the least recent apps are lost. */
const maxApps = 1000

/** Calls per transaction. Other writes run in between. */
const chunk = 200

/**
 * Creates a log of the last calls of each app. Calls are written every second, so that requests do
 * not wait for writes. A crash loses at most the last interval. `observe` receives every
 * request, with the ids of its app and user.
 */
export function createCallLog(
  ctx: Pick<Context, 'db' | 'clock' | 'random'>,
  observe?: CallObserver,
): CallLog {
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
    isObserved: observe !== undefined,
    note(req, call, details) {
      const {
        appId,
        userId = null,
        scopes = [],
        error = null,
        message = null,
      } = notes.get(req) ?? {}
      const at = clock.now()
      if (details) {
        const [app, user] = [appId ?? null, userId]
        const { method } = call
        observe?.({ at: isoTime(at), method, app, user, scopes: [...scopes], error, ...details() })
      }
      if (appId === undefined) return
      // The number orders the calls of a millisecond.
      const id = `${process} ${String(++count).padStart(12, '0')}`
      keep({ id, at, appId, userId, ...call, error, message })
    },
    flush() {
      flushing = flushing.then(write, write)
      return flushing
    },
  }
}
