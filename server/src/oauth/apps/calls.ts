import type { Context } from '../../runtime/context.ts'
import * as store from '../../store/oauth/app-calls.ts'

export { type AppCall, keptCalls } from '../../store/oauth/app-calls.ts'

/** The last calls of an app, newest first. Those at other nodes may be a second late. */
export async function listCalls({ calls, db }: Context, appId: string) {
  await calls.flush()
  return store.listCalls(db.read, appId)
}

/** When each app made its last call, ms, by id. */
export async function findLastCalls({ calls, db }: Context, appIds: readonly string[]) {
  await calls.flush()
  return store.findLastCalls(db.read, appIds)
}
