import { fail } from '../../errors/failure.ts'
import { updateApp } from '../../marketplace/apps.ts'
import { rotateManagedSecretToken } from '../../marketplace/secrets.ts'
import { listDeliveries, redeliver } from '../../webhooks/deliveries.ts'
import { validateEndpoint } from '../../webhooks/validate.ts'
import { viewerOf } from '../account/handlers.ts'
import { type AccountPage, goOn, noteOf, readQuery, show } from '../account/page.ts'
import { type AppWebhooksPageData, renderAppWebhooksPage } from '../pages/console/webhooks.tsx'
import { type AppExchange, appForm, appPage, appToken } from './app.ts'
import { saveForm } from './issues.ts'
import { appPath } from './layout.tsx'

const pageSize = 25

const notes = {
  saved: 'The address is saved.',
  valid: 'The endpoint answered as it should, so the address is valid.',
  resent: 'The event is sent again, now.',
}

const path = '/console/apps/:id/webhooks'
const done = (appId: string, what: keyof typeof notes) =>
  `${appPath(appId, '/webhooks')}?done=${what}`
const redeliverAct = (deliveryId: string) => `redeliver ${deliveryId}`

/** The endpoint of an app's events, its secret token, and the log of deliveries (open-points D). */
export const webhooksPages: AccountPage[] = [
  {
    path,
    get: appPage(async (exchange) =>
      show(await webhooksPage(exchange, { note: noteOf(exchange.req, notes) })),
    ),
    post: appForm('address', async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const url = form.one('url').trim()
      return saveForm({
        save: () => updateApp(ctx, developer, app.id, { deauthorizationUrl: url || null }),
        placeOf: () => ({ field: 'url' }),
        next: done(app.id, 'saved'),
        page: (issues) => webhooksPage(exchange, { url, issues }),
      })
    }),
  },
  {
    path: `${path}/validation`,
    post: appForm('validate', async (exchange) => {
      const { ctx, app } = exchange
      const issue = await validateEndpoint(ctx, app.id)
      if (issue) return show(await webhooksPage(exchange, { endpointIssue: issue }), 400)
      return goOn(done(app.id, 'valid'))
    }),
  },
  {
    path: `${path}/secret`,
    post: appForm('secret token', async (exchange) => {
      const { ctx, developer, app } = exchange
      const rotated = await rotateManagedSecretToken(ctx, developer, app.id)
      return show(await webhooksPage(exchange, { rotated }))
    }),
  },
  {
    path: `${path}/deliveries`,
    post: appForm(
      (form) => redeliverAct(form.one('delivery')),
      async ({ ctx, app, form }) => {
        const isKnown = await redeliver(ctx, app.id, form.one('delivery'))
        if (!isKnown) fail(404, 'This event is no longer in the log.')
        return goOn(done(app.id, 'resent'))
      },
    ),
  },
]

async function webhooksPage(
  { ctx, req, app, visit }: AppExchange,
  more: Partial<AppWebhooksPageData>,
): Promise<string> {
  const after = readQuery(req, 'after') ?? ''
  const page = await listDeliveries(ctx, app.id, { after, limit: pageSize })
  const token = (act: string) => appToken(visit, act, app.id)
  return renderAppWebhooksPage({
    app,
    url: app.deauthorizationUrl ?? '',
    issues: {},
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
