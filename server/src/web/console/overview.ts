import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { updateApp } from '../../marketplace/apps.ts'
import { rotateManagedClientSecret } from '../../marketplace/secrets.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import type { Form } from '../account/form.ts'
import { readQuery, seeOther, sendPage, viewerOf } from '../account/page.ts'
import { type AppPageData, type AppValues, renderAppPage } from '../pages/console/app.tsx'
import { appPath } from '../pages/console/layout.tsx'
import { type AppRequest, appForm, appPage, appToken } from './app.ts'
import { mistakesOf, readChoice, readEnvironment } from './issues.ts'

/** What an address says was just done. */
const notes = new Map([
  ['saved', 'The settings are saved.'],
  ['disabled', 'The app is disabled.'],
  ['enabled', 'The app is enabled.'],
])

/** The overview of an app: credentials, settings, disabling. */
export function consoleOverviewRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    '/console/apps/:id',
    appPage(ctx, async (exchange) => {
      const note = notes.get(readQuery(exchange.req, 'done') ?? '')
      sendPage(exchange.res, overview(exchange, { note }))
    }),
  )

  router.post(
    '/console/apps/:id',
    appForm(
      ctx,
      () => 'settings',
      async (exchange) => {
        const { res, developer, app, form } = exchange
        const values = readValues(exchange.form, app)
        const isGeneral = app.type === 'general'
        const mistakes = await mistakesOf(async () => {
          const { name, visibility, ...rest } = values
          const changes = { name: form.one('name').trim(), visibility }
          await updateApp(
            from(ctx, exchange.req),
            developer,
            app.id,
            isGeneral ? { ...changes, ...rest } : changes,
          )
        }, placeOfSetting)
        if (mistakes) sendPage(res, overview(exchange, { values, mistakes }), 400)
        else seeOther(res, `${appPath(app.id)}?done=saved`)
      },
    ),
  )

  router.post(
    '/console/apps/:id/rotate',
    appForm(
      ctx,
      (form) => `rotate ${form.one('environment')}`,
      async (exchange) => {
        const { req, res, developer, app, form } = exchange
        const environment = readEnvironment(form.one('environment'))
        const rotated = await rotateManagedClientSecret(
          from(ctx, req),
          developer,
          app.id,
          environment,
        )
        sendPage(res, overview(exchange, { rotated: { environment, ...rotated } }))
      },
    ),
  )

  router.post(
    '/console/apps/:id/availability',
    appForm(
      ctx,
      (form) => `disabled ${form.one('disabled')}`,
      async (exchange) => {
        const { res, developer, app, form } = exchange
        const disabled = readChoice(form.one('disabled'), 'disabled', ['yes', 'no']) === 'yes'
        const mistakes = await mistakesOf(
          () => updateApp(from(ctx, exchange.req), developer, app.id, { disabled }),
          () => ({ field: 'disabled' }),
        )
        if (mistakes) sendPage(res, overview(exchange, { mistakes }), 400)
        else seeOther(res, `${appPath(app.id)}?done=${disabled ? 'disabled' : 'enabled'}`)
      },
    ),
  )

  return router
}

function overview(
  { app, visit }: AppRequest,
  more: Partial<Pick<AppPageData, 'values' | 'mistakes' | 'rotated' | 'note'>>,
): string {
  const token = (act: string) => appToken(visit, act, app.id)
  return renderAppPage({
    app,
    values: app,
    mistakes: {},
    tokens: {
      settings: token('settings'),
      development: token('rotate development'),
      production: token('rotate production'),
      availability: token(`disabled ${app.disabledAt === null ? 'yes' : 'no'}`),
    },
    viewer: viewerOf(visit),
    ...more,
  })
}

/** What was typed; of an app that has no such fields, what is. */
function readValues(form: Form, app: AppValues & { type: string }): AppValues {
  const isTicked = (name: string) => form.one(name) === 'on'
  const name = form.one('name')
  const visibility = readChoice(form.one('visibility'), 'visibility', [
    'development',
    'private',
    'public',
  ])
  if (app.type !== 'general') return { ...app, name, visibility }
  const publicClient = isTicked('public_client')
  return {
    name,
    visibility,
    level: readChoice(form.one('level'), 'level', ['user', 'account']),
    deviceFlow: isTicked('device_flow'),
    publicClient,
    // A public client must use S256, so it comes along.
    requireS256: publicClient || isTicked('require_s256'),
  }
}

/** The level is what scopes that are registered may be at odds with. */
function placeOfSetting([top]: readonly string[]) {
  if (top === undefined || top === 'name') return { field: 'name' }
  return { field: top === 'development' || top === 'production' ? 'level' : top }
}
