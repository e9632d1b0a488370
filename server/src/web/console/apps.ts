import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { type NewSettings, registerApp } from '../../marketplace/apps.ts'
import { type Developer, developerOf } from '../../marketplace/developer.ts'
import { listManagedApps } from '../../marketplace/managed-apps.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import type { Form } from '../account/form.ts'
import { type SignedInRequest, signedInForm, signedInPage } from '../account/handlers.ts'
import { readQuery, sendPage, viewerOf } from '../account/page.ts'
import { formToken } from '../account/session.ts'
import { renderConsolePage } from '../pages/console/apps.tsx'
import {
  type NewAppPageData,
  renderNewAppPage,
  renderRegisteredPage,
} from '../pages/console/new.tsx'
import { choiceField, readScopeChoices, scopeRows } from '../pages/console/scope-choices.ts'
import { auditPath } from './audit.ts'
import { linePrefix, mistakesOf, readChoice, readLines } from './issues.ts'

const pageSize = 50
const purpose = 'register app'

/** The apps of a developer, and registering one. */
export function consoleListRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    '/console',
    signedInPage(ctx, async ({ req, res, visit }) => {
      const developer = developerOf(visit.session.user)
      const page = await listManagedApps(ctx, developer, {
        limit: pageSize,
        after: readQuery(req, 'after'),
      })
      const nextPath = page.nextPageToken && `/console?after=${page.nextPageToken}`
      const { seesAll } = developer
      sendPage(
        res,
        renderConsolePage({
          ...page,
          apps: page.items,
          nextPath,
          seesAll,
          auditPath: visit.session.user.role === 'owner' ? auditPath : undefined,
          viewer: viewerOf(visit),
        }),
      )
    }),
  )

  router.get(
    '/console/new',
    signedInPage(ctx, async ({ res, visit }) => sendPage(res, newAppPage(visit))),
  )

  router.post(
    '/console/new',
    signedInForm(
      ctx,
      () => purpose,
      async ({ req, res, visit, form }) => {
        const developer = developerOf(visit.session.user)
        const outcome = await register(from(ctx, req), developer, form)
        if ('app' in outcome) {
          sendPage(res, renderRegisteredPage({ ...outcome, viewer: viewerOf(visit) }))
          return
        }
        sendPage(res, newAppPage(visit, { ...outcome }), 400)
      },
    ),
  )

  return router
}

type Typed = Pick<NewAppPageData, 'values' | 'rows' | 'mistakes'>

const none = { scopes: [], optionalScopes: [] }

/** The page's scopes are those of every kind of app; it shows those of the kind that is chosen. */
const allKinds = { type: 'general', level: 'account' } as const

const untouched: Typed = {
  values: { name: '', type: 'general', level: 'user', redirectUris: '' },
  rows: scopeRows(allKinds, none),
  mistakes: {},
}

function newAppPage(visit: SignedInRequest['visit'], typed: Typed = untouched): string {
  const { seesAll } = developerOf(visit.session.user)
  const token = formToken(visit, purpose)
  return renderNewAppPage({ ...typed, seesAll, token, viewer: viewerOf(visit) })
}

/** Registers what the form says; where that cannot be, what was typed and what is wrong with it. */
async function register(ctx: OAuthContext, developer: Developer, form: Form) {
  const type = readChoice(form.one('type'), 'type', ['general', 'server-to-server', 'chatbot'])
  const level = readChoice(form.one('level') || 'user', 'level', ['user', 'account'])
  const name = form.one('name')
  const redirectUris = form.one('redirect_uris')
  const { addresses, lines } = readLines(redirectUris)
  const scopes = readScopeChoices(scopeRows({ type, level }, none), form.one)
  const client = { ...scopes, redirectUris: type === 'general' ? addresses : [] }
  let made: Awaited<ReturnType<typeof registerApp>> | undefined
  const mistakes = await mistakesOf(
    async () => {
      const registration: NewSettings = {
        name: name.trim(),
        type,
        level: type === 'general' ? level : 'user',
        visibility: 'development',
        ...(type === 'chatbot' ? {} : { development: client, production: client }),
      }
      made = await registerApp(ctx, developer, registration)
    },
    ([top, key, index]) => {
      if (top === 'name' || top === undefined) return { field: 'name' }
      const at = Number(index)
      if (key === 'redirectUris') {
        return { field: 'redirect_uris', prefix: linePrefix(lines, index) }
      }
      if (index === undefined) return undefined
      const list = key === 'optionalScopes' ? scopes.optionalScopes : scopes.scopes
      return { field: choiceField(list[at] ?? '') }
    },
  )
  if (made) return made
  const typed = readScopeChoices(scopeRows(allKinds, none), form.one)
  return {
    values: { name, type, level, redirectUris },
    rows: scopeRows(allKinds, typed),
    mistakes: mistakes ?? {},
  }
}
