import type { RequestHandler } from 'express'
import { type Developer, developerOf } from '../../marketplace/developer.ts'
import { getManagedApp, type ManagedApp } from '../../marketplace/managed-apps.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import type { Form } from '../account/form.ts'
import { type SignedInRequest, signedInForm, signedInPage } from '../account/handlers.ts'
import { formToken, type Visit } from '../account/session.ts'

/** A request about an app of somebody who may manage it. */
export interface AppRequest extends SignedInRequest {
  readonly developer: Developer
  readonly app: ManagedApp
}

/** Token of a form that does one thing to one app. */
export const appToken = (visit: Visit, act: string, appId: string): string =>
  formToken(visit, appPurpose(act, appId))

const appPurpose = (act: string, appId: string) => `app ${appId} ${act}`

/** Handles a page of an app. What is another's is not found. */
export const appPage = (
  ctx: OAuthContext,
  show: (exchange: AppRequest) => Promise<void>,
): RequestHandler =>
  signedInPage(ctx, async (exchange) => show({ ...exchange, ...(await manage(ctx, exchange)) }))

/** Handles a form about an app; `actOf` names what it does. */
export const appForm = (
  ctx: OAuthContext,
  actOf: (form: Form) => string,
  act: (exchange: AppRequest & { readonly form: Form }) => Promise<void>,
): RequestHandler =>
  signedInForm(
    ctx,
    (form, req) => appPurpose(actOf(form), String(req.params.id)),
    async (exchange) => act({ ...exchange, ...(await manage(ctx, exchange)) }),
  )

async function manage(ctx: OAuthContext, { req, visit }: SignedInRequest) {
  const developer = developerOf(visit.session.user)
  const app = await getManagedApp(ctx, developer, String(req.params.id))
  return { developer, app }
}
