import { type Developer, developerOf } from '../../apps/developer.ts'
import { getManagedApp, type ManagedApp } from '../../apps/managed-apps.ts'
import { type Answer, type SignedIn, signedIn } from '../account/page.ts'

export interface AppExchange extends SignedIn {
  readonly developer: Developer
  readonly app: ManagedApp
}

/** Wraps a handler of an app's page or form. Throws 404 unless the developer may manage the app. */
export const managed = (act: (exchange: AppExchange) => Promise<Answer>) =>
  signedIn(async (exchange) => {
    const { ctx, req, session } = exchange
    const developer = developerOf(session.user)
    const app = await getManagedApp(ctx, developer, String(req.params.id))
    return act({ ...exchange, developer, app })
  })
