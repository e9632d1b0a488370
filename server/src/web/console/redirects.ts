import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { updateApp } from '../../marketplace/apps.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { seeOther, sendPage, viewerOf } from '../account/page.ts'
import { appPath } from '../pages/console/layout.tsx'
import { type AppRedirectsPageData, renderAppRedirectsPage } from '../pages/console/redirects.tsx'
import { type AppRequest, appForm, appPage, appToken } from './app.ts'
import { linePrefix, mistakesOf, readLines } from './issues.ts'

/** Where an app has people sent back to, per tab. */
export function consoleRedirectsRoutes(ctx: OAuthContext): Router {
  const router = Router()
  const path = '/console/apps/:id/redirects'

  router.get(
    path,
    appPage(ctx, async (exchange) => {
      const isSaved = exchange.req.query.done === 'saved'
      const note = isSaved ? 'The addresses are saved.' : undefined
      sendPage(exchange.res, redirectsPage(exchange, { note }))
    }),
  )

  router.post(
    path,
    appForm(
      ctx,
      () => 'redirects',
      async (exchange) => {
        const { res, developer, app, form } = exchange
        const values = { development: form.one('development'), production: form.one('production') }
        const development = readLines(values.development)
        const production = readLines(values.production)
        const changes = {
          development: { redirectUris: development.addresses },
          production: { redirectUris: production.addresses },
        }
        const mistakes = await mistakesOf(
          () => updateApp(from(ctx, exchange.req), developer, app.id, changes),
          ([tab, key, index]) => {
            if (key !== 'redirectUris') return undefined
            const { lines } = tab === 'production' ? production : development
            return { field: tab ?? '', prefix: linePrefix(lines, index) }
          },
        )
        if (mistakes) sendPage(res, redirectsPage(exchange, { values, mistakes }), 400)
        else seeOther(res, `${appPath(app.id, '/redirects')}?done=saved`)
      },
    ),
  )

  return router
}

function redirectsPage(
  { app, visit }: AppRequest,
  more: Partial<Pick<AppRedirectsPageData, 'values' | 'mistakes' | 'note'>>,
): string {
  return renderAppRedirectsPage({
    app,
    values: {
      development: app.development.redirectUris.join('\n'),
      production: app.production.redirectUris.join('\n'),
    },
    mistakes: {},
    token: appToken(visit, 'redirects', app.id),
    viewer: viewerOf(visit),
    ...more,
  })
}
