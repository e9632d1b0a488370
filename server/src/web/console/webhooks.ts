import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import { updateApp } from '../../marketplace/apps.ts'
import { rotateManagedSecretToken } from '../../marketplace/secrets.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { listDeliveries, redeliver } from '../../webhooks/deliveries.ts'
import { validateEndpoint } from '../../webhooks/validate.ts'
import { readQuery, seeOther, sendPage, viewerOf } from '../account/page.ts'
import { appPath } from '../pages/console/layout.tsx'
import { type AppWebhooksPageData, renderAppWebhooksPage } from '../pages/console/webhooks.tsx'
import { type AppRequest, appForm, appPage, appToken } from './app.ts'
import { mistakesOf } from './issues.ts'

const pageSize = 25

/** What an address says was just done. */
const notes = new Map([
  ['saved', 'The address is saved.'],
  ['valid', 'The endpoint answered as it should, so the address is valid.'],
  ['resent', 'The event is sent again, now.'],
])

/** The endpoint of an app's events, its secret token, and the log of deliveries (open-points D). */
export function consoleWebhooksRoutes(ctx: OAuthContext): Router {
  const router = Router()
  const path = '/console/apps/:id/webhooks'
  const done = (appId: string, what: string) => `${appPath(appId, '/webhooks')}?done=${what}`

  router.get(
    path,
    appPage(ctx, async (exchange) => {
      const note = notes.get(readQuery(exchange.req, 'done') ?? '')
      sendPage(exchange.res, await webhooksPage(ctx, exchange, { note }))
    }),
  )

  router.post(
    path,
    appForm(
      ctx,
      () => 'address',
      async (exchange) => {
        const { res, developer, app, form } = exchange
        const url = form.one('url').trim()
        const mistakes = await mistakesOf(
          () =>
            updateApp(from(ctx, exchange.req), developer, app.id, {
              deauthorizationUrl: url || null,
            }),
          () => ({ field: 'url' }),
        )
        if (mistakes) sendPage(res, await webhooksPage(ctx, exchange, { url, mistakes }), 400)
        else seeOther(res, done(app.id, 'saved'))
      },
    ),
  )

  router.post(
    `${path}/validation`,
    appForm(
      ctx,
      () => 'validate',
      async (exchange) => {
        const { res, app } = exchange
        const problem = await validateEndpoint(ctx, app.id)
        if (problem) sendPage(res, await webhooksPage(ctx, exchange, { problem }), 400)
        else seeOther(res, done(app.id, 'valid'))
      },
    ),
  )

  router.post(
    `${path}/secret`,
    appForm(
      ctx,
      () => 'secret token',
      async (exchange) => {
        const { req, res, developer, app } = exchange
        const rotated = await rotateManagedSecretToken(from(ctx, req), developer, app.id)
        sendPage(res, await webhooksPage(ctx, exchange, { rotated }))
      },
    ),
  )

  router.post(
    `${path}/deliveries`,
    appForm(
      ctx,
      (form) => redeliverAct(form.one('delivery')),
      async ({ res, app, form }) => {
        const isKnown = await redeliver(ctx, app.id, form.one('delivery'))
        if (!isKnown) fail(404, 'This event is no longer in the log.')
        seeOther(res, done(app.id, 'resent'))
      },
    ),
  )

  return router
}

const redeliverAct = (deliveryId: string) => `redeliver ${deliveryId}`

async function webhooksPage(
  ctx: OAuthContext,
  { req, app, visit }: AppRequest,
  more: Partial<Pick<AppWebhooksPageData, 'url' | 'mistakes' | 'problem' | 'rotated' | 'note'>>,
): Promise<string> {
  const after = readQuery(req, 'after') ?? ''
  const page = await listDeliveries(ctx, app.id, { after, limit: pageSize })
  const token = (act: string) => appToken(visit, act, app.id)
  return renderAppWebhooksPage({
    app,
    url: app.deauthorizationUrl ?? '',
    mistakes: {},
    tokens: {
      address: token('address'),
      validation: token('validate'),
      secret: token('secret token'),
    },
    deliveries: page.items.map((one) => ({ ...one, token: token(redeliverAct(one.id)) })),
    nextPath: page.nextPageToken && `${appPath(app.id, '/webhooks')}?after=${page.nextPageToken}`,
    viewer: viewerOf(visit),
    ...more,
  })
}
