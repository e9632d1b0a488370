import { updateApp } from '../../marketplace/apps.ts'
import { rotateManagedClientSecret } from '../../marketplace/secrets.ts'
import { type Form, readChoice } from '../account/form.ts'
import { viewerOf } from '../account/handlers.ts'
import { type AccountPage, noteOf, show } from '../account/page.ts'
import { type AppPageData, type AppValues, renderAppPage } from '../pages/console/app.tsx'
import { type AppExchange, appForm, appPage, appToken } from './app.ts'
import { readEnvironment, saveForm } from './issues.ts'
import { appPath } from './layout.tsx'

const notes = {
  saved: 'The settings are saved.',
  disabled: 'The app is disabled.',
  enabled: 'The app is enabled.',
}

const path = '/console/apps/:id'

/** The overview of an app: credentials, settings, disabling. */
export const overviewPages: AccountPage[] = [
  {
    path,
    get: appPage(async (exchange) =>
      show(overview(exchange, { note: noteOf(exchange.req, notes) })),
    ),
    post: appForm('settings', async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const values = readValues(form, app)
      const { visibility, ...rest } = values
      const name = values.name.trim()
      const changes = app.type === 'general' ? { ...rest, name, visibility } : { name, visibility }
      return saveForm({
        save: () => updateApp(ctx, developer, app.id, changes),
        placeOf: placeOfSetting,
        next: `${appPath(app.id)}?done=saved`,
        page: (issues) => overview(exchange, { values, issues }),
      })
    }),
  },
  {
    path: `${path}/rotate`,
    post: appForm(
      (form) => `rotate ${form.one('environment')}`,
      async (exchange) => {
        const { ctx, developer, app, form } = exchange
        const environment = readEnvironment(form.one('environment'))
        const rotated = await rotateManagedClientSecret(ctx, developer, app.id, environment)
        return show(overview(exchange, { rotated: { environment, ...rotated } }))
      },
    ),
  },
  {
    path: `${path}/availability`,
    post: appForm(
      (form) => `disabled ${form.one('disabled')}`,
      async (exchange) => {
        const { ctx, developer, app, form } = exchange
        const disabled = readChoice(form, 'disabled', ['yes', 'no']) === 'yes'
        return saveForm({
          save: () => updateApp(ctx, developer, app.id, { disabled }),
          placeOf: () => ({ field: 'disabled' }),
          next: `${appPath(app.id)}?done=${disabled ? 'disabled' : 'enabled'}`,
          page: (issues) => overview(exchange, { issues }),
        })
      },
    ),
  },
]

function overview({ app, visit }: AppExchange, more: Partial<AppPageData>): string {
  const token = (act: string) => appToken(visit, act, app.id)
  return renderAppPage({
    app,
    values: app,
    issues: {},
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
  const visibility = readChoice(form, 'visibility', ['development', 'private', 'public'])
  if (app.type !== 'general') return { ...app, name, visibility }
  const publicClient = isTicked('public_client')
  return {
    name,
    visibility,
    level: readChoice(form, 'level', ['user', 'account']),
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
