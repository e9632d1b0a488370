import type { ManagedApp } from '@skillpass/server/marketplace/apps'
import { systemRandom } from '@skillpass/server/runtime/time'
import { createSecret } from '@skillpass/server/secrets/secrets'
import {
  renderAppMessagesPage,
  renderAppPage,
  renderAppRedirectsPage,
  renderAppScopesPage,
  renderAppWebhooksPage,
  renderConsolePage,
  renderMigrationPage,
  renderNewAppPage,
  renderRegisteredPage,
} from '@skillpass/server/web/pages/index'
import { scopeRows } from '@skillpass/server/web/scope-choices'

/** The pages of the developer console, with whatever text strangers could have put there. */
export function consolePages(text: string): Record<string, string> {
  const token = 't'.repeat(43)
  const viewer = { email: text, isAdmin: true, signOutToken: token }
  const client = (environment: 'development' | 'production') => ({
    clientId: text,
    environment,
    scopes: ['user:read', 'user:read:user'],
    optionalScopes: ['meeting:read:meeting'],
    redirectUris: [text],
  })
  const app: ManagedApp = {
    id: text,
    accountId: text,
    name: text,
    type: 'general',
    level: 'user',
    visibility: 'public',
    deviceFlow: true,
    publicClient: false,
    requireS256: false,
    deauthorizationUrl: text,
    createdAt: 0,
    createdBy: text,
    disabledAt: 0,
    disabledBy: text,
    validatedUrl: null,
    development: client('development'),
    production: client('production'),
    endpointIsValid: false,
  }
  const shared = { app, viewer, token }
  const secret = createSecret('clientSecret', systemRandom)
  const rows = scopeRows(app, app.development)
  const credentials = { clientId: text, clientSecret: text }
  const delivery = (state: 'pending' | 'delivered' | 'failed') => ({
    id: `${state} ${text}`,
    event: text,
    body: text,
    createdAt: 0,
    nextAttemptAt: state === 'pending' ? 0 : null,
    deliveredAt: state === 'delivered' ? 0 : null,
    attempts: [
      { number: 1, startedAt: 0, durationMs: 3000, status: null, error: text },
      { number: 2, startedAt: 0, durationMs: 3, status: 500, error: text },
      { number: 3, startedAt: 0, durationMs: 3, status: 200, error: null },
    ],
    state,
    token,
  })
  return {
    'an empty console': renderConsolePage({ apps: [], total: 0, seesAll: false, viewer }),
    'the console': renderConsolePage({
      apps: [app],
      total: 2,
      nextPath: '/console?after=plain',
      seesAll: true,
      viewer,
    }),
    'a new app': renderNewAppPage({
      ...shared,
      values: { name: text, type: 'general', level: 'user', redirectUris: text },
      rows,
      mistakes: { name: text, redirect_uris: text },
      seesAll: false,
    }),
    'a registered app': renderRegisteredPage({
      app,
      secretToken: text,
      development: credentials,
      production: credentials,
      viewer,
    }),
    'an app': renderAppPage({
      ...shared,
      values: app,
      mistakes: { name: text, disabled: text },
      tokens: { settings: token, availability: token, development: token, production: token },
      rotated: { environment: 'production', secret, previousExpiresAt: 0 },
      note: text,
    }),
    'the scopes of an app': renderAppScopesPage({
      ...shared,
      environment: 'production',
      rows,
      mistakes: { 'pick user:read': text },
      note: text,
    }),
    'a migration': renderMigrationPage({
      ...shared,
      environment: 'development',
      changes: [{ from: text, to: [text, `${text}:admin`] }],
      grantsKeepingClassic: 3,
    }),
    'a migration out of turn': renderMigrationPage({
      ...shared,
      environment: 'production',
      changes: [],
      grantsKeepingClassic: 0,
      obstacle: 'development-first',
    }),
    'the redirects of an app': renderAppRedirectsPage({
      ...shared,
      values: { development: text, production: text },
      mistakes: { production: text },
    }),
    'the webhooks of an app': renderAppWebhooksPage({
      app,
      viewer,
      url: text,
      mistakes: { url: text },
      tokens: { address: token, validation: token, secret: token },
      problem: text,
      rotated: { secret, previousExpiresAt: 0 },
      deliveries: [delivery('pending'), delivery('delivered'), delivery('failed')],
      nextPath: '/console',
    }),
    'the messages of a chatbot': renderAppMessagesPage({
      app: { ...app, type: 'chatbot' },
      messages: [
        {
          id: text,
          appId: text,
          accountId: text,
          robotJid: text,
          toJid: text,
          content: JSON.stringify({ head: text }),
          sentAt: 0,
        },
      ],
      viewer,
    }),
  }
}
