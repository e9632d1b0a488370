import { type Developer, developerOf } from '../../apps/developer.ts'
import { getManagedApp, type ManagedApp } from '../../apps/managed-apps.ts'
import type { Form } from '../account/form.ts'
import {
  type Purpose,
  type SignedInExchange,
  signedInForm,
  signedInPage,
  type WithForm,
} from '../account/handlers.ts'
import type { Answer, Exchange } from '../account/page.ts'
import { formToken, type Visit } from '../account/session.ts'

/** A request about an app of somebody who may manage it. */
export interface AppExchange extends SignedInExchange {
  readonly developer: Developer
  readonly app: ManagedApp
}

/** Token of a form that does one thing to one app. */
export const appToken = (visit: Visit, act: string, appId: string): string =>
  formToken(visit, appPurpose(act, appId))

const appPurpose = (act: string, appId: string) => `app ${appId} ${act}`

/** Handles a page of an app. What is another's is not found. */
export const appPage = (view: (exchange: AppExchange) => Promise<Answer>) =>
  signedInPage(async (exchange) => view({ ...exchange, ...(await manage(exchange)) }))

/** Handles a form about an app; `act` names what it does, by itself or by its fields. */
export const appForm =
  (act: Purpose, change: (exchange: WithForm<AppExchange>) => Promise<Answer>) =>
  (exchange: Exchange): Promise<Answer> => {
    const purpose = (form: Form) =>
      appPurpose(typeof act === 'string' ? act : act(form), String(exchange.req.params.id))
    return signedInForm(purpose, async (sent) => change({ ...sent, ...(await manage(sent)) }))(
      exchange,
    )
  }

async function manage({ ctx, req, visit }: SignedInExchange) {
  const developer = developerOf(visit.session.user)
  const app = await getManagedApp(ctx, developer, String(req.params.id))
  return { developer, app }
}
