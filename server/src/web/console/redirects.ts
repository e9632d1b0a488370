import { updateApp } from '../../marketplace/apps.ts'
import { viewerOf } from '../account/handlers.ts'
import { type AccountPage, noteOf, show } from '../account/page.ts'
import { type AppRedirectsPageData, renderAppRedirectsPage } from '../pages/console/redirects.tsx'
import { type AppExchange, appForm, appPage, appToken } from './app.ts'
import { linePrefix, readLines, saveForm } from './issues.ts'
import { appPath } from './layout.tsx'

const notes = { saved: 'The addresses are saved.' }

/** Where an app has people sent back to, per tab. */
export const redirectsPages: AccountPage[] = [
  {
    path: '/console/apps/:id/redirects',
    get: appPage(async (exchange) =>
      show(redirectsPage(exchange, { note: noteOf(exchange.req, notes) })),
    ),
    post: appForm('redirects', async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const values = { development: form.one('development'), production: form.one('production') }
      const development = readLines(values.development)
      const production = readLines(values.production)
      const changes = {
        development: { redirectUris: development.addresses },
        production: { redirectUris: production.addresses },
      }
      return saveForm({
        save: () => updateApp(ctx, developer, app.id, changes),
        placeOf([tab, key, index]) {
          if (key !== 'redirectUris') return undefined
          const { lines } = tab === 'production' ? production : development
          return { field: tab ?? '', prefix: linePrefix(lines, index) }
        },
        next: `${appPath(app.id, '/redirects')}?done=saved`,
        page: (issues) => redirectsPage(exchange, { values, issues }),
      })
    }),
  },
]

function redirectsPage(
  { app, visit }: AppExchange,
  more: Partial<Pick<AppRedirectsPageData, 'values' | 'issues' | 'note'>>,
): string {
  return renderAppRedirectsPage({
    app,
    values: {
      development: app.development.redirectUris.join('\n'),
      production: app.production.redirectUris.join('\n'),
    },
    issues: {},
    token: appToken(visit, 'redirects', app.id),
    viewer: viewerOf(visit),
    ...more,
  })
}
