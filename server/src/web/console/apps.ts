import { type NewSettings, registerApp } from '../../marketplace/apps.ts'
import { type Developer, developerOf } from '../../marketplace/developer.ts'
import { listManagedApps } from '../../marketplace/managed-apps.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { chosen, type Form, readChoice } from '../account/form.ts'
import { type SignedInExchange, signedInForm, signedInPage, viewerOf } from '../account/handlers.ts'
import { type AccountPage, readQuery, show } from '../account/page.ts'
import { formToken } from '../account/session.ts'
import { renderConsolePage } from '../pages/console/apps.tsx'
import { auditPath } from './audit.ts'
import { issuesOf, linePrefix, readLines } from './issues.ts'
import { type NewAppPageData, renderNewAppPage, renderRegisteredPage } from './register.tsx'
import { choiceField, readScopeChoices, scopeRows } from './scope-choices.ts'

const pageSize = 50
const purpose = 'register app'

/** The apps of a developer, and registering one. */
export const appsPages: AccountPage[] = [
  {
    path: '/console',
    get: signedInPage(async ({ ctx, req, visit }) => {
      const { user } = visit.session
      const developer = developerOf(user)
      const after = readQuery(req, 'after')
      const page = await listManagedApps(ctx, developer, { limit: pageSize, after })
      const data = {
        ...page,
        apps: page.items,
        nextPath: page.nextPageToken && `/console?after=${page.nextPageToken}`,
        seesAll: developer.seesAll,
        auditPath: user.role === 'owner' ? auditPath : undefined,
        viewer: viewerOf(visit),
      }
      return show(renderConsolePage(data))
    }),
  },
  {
    path: '/console/new',
    get: signedInPage(async ({ visit }) => show(newAppPage(visit, untouched))),
    post: signedInForm(purpose, async ({ ctx, visit, form }) => {
      const outcome = await register(ctx, developerOf(visit.session.user), form)
      return 'app' in outcome
        ? show(renderRegisteredPage({ ...outcome, viewer: viewerOf(visit) }))
        : show(newAppPage(visit, outcome), 400)
    }),
  },
]

type Typed = Pick<NewAppPageData, 'values' | 'rows' | 'issues'>

const none = { scopes: [], optionalScopes: [] }

/** The page's scopes are those of every kind of app; it shows those of the kind that is chosen. */
const allKinds = { type: 'general', level: 'account' } as const

const untouched: Typed = {
  values: { name: '', type: 'general', level: 'user', redirectUris: '' },
  rows: scopeRows(allKinds, none),
  issues: {},
}

function newAppPage(visit: SignedInExchange['visit'], typed: Typed): string {
  const { seesAll } = developerOf(visit.session.user)
  const token = formToken(visit, purpose)
  return renderNewAppPage({ ...typed, seesAll, token, viewer: viewerOf(visit) })
}

/** Registers what the form says; where that cannot be, what was typed and what is wrong with it. */
async function register(ctx: OAuthContext, developer: Developer, form: Form) {
  const type = readChoice(form, 'type', ['general', 'server-to-server', 'chatbot'])
  const level = chosen(form.one('level') || 'user', 'level', ['user', 'account'])
  const name = form.one('name')
  const redirectUris = form.one('redirect_uris')
  const { addresses, lines } = readLines(redirectUris)
  const scopes = readScopeChoices(scopeRows({ type, level }, none), form.one)
  const client = { ...scopes, redirectUris: type === 'general' ? addresses : [] }
  const registration: NewSettings = {
    name: name.trim(),
    type,
    level: type === 'general' ? level : 'user',
    visibility: 'development',
    ...(type === 'chatbot' ? {} : { development: client, production: client }),
  }
  let made: Awaited<ReturnType<typeof registerApp>> | undefined
  const issues = await issuesOf(
    async () => {
      made = await registerApp(ctx, developer, registration)
    },
    ([top, key, index]) => {
      if (top === 'name' || top === undefined) return { field: 'name' }
      if (key === 'redirectUris') {
        return { field: 'redirect_uris', prefix: linePrefix(lines, index) }
      }
      if (index === undefined) return undefined
      const list = key === 'optionalScopes' ? scopes.optionalScopes : scopes.scopes
      return { field: choiceField(list[Number(index)] ?? '') }
    },
  )
  if (made) return made
  const typed = readScopeChoices(scopeRows(allKinds, none), form.one)
  return {
    values: { name, type, level, redirectUris },
    rows: scopeRows(allKinds, typed),
    issues: issues ?? {},
  }
}
