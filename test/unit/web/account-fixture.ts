import type { Secret } from '@skillpass/server/secrets/secrets'
import {
  renderAddedAppsPage,
  renderApprovalsPage,
  renderConsentPage,
  renderDeviceConfirmationPage,
  renderDeviceDonePage,
  renderDeviceEntryPage,
  renderObstaclePage,
  renderRefusalPage,
  renderSignInPage,
} from '@skillpass/server/web/pages/index'
import { consolePages } from './console-fixture.ts'

/** The pages of the authorization service, with whatever text strangers could have put there. */
export function accountPages(text: string): Record<string, string> {
  const token = 't'.repeat(43)
  const viewer = { email: text, isAdmin: true, signOutToken: token }
  const app = {
    id: text,
    name: text,
    type: 'general',
    level: 'user',
    visibility: 'public',
    accountId: text,
    accountName: text,
    deviceFlow: true,
    publicClient: false,
    requireS256: false,
    disabled: false,
  } as const
  const client = {
    clientId: text,
    environment: 'development',
    secretHash: '',
    previousSecretHash: null,
    previousSecretExpiresAt: null,
    scopes: [],
    optionalScopes: [],
    app,
  } as const
  const scopes = (['user', 'admin', 'master'] as const).map((level) => ({
    scope: `${text} ${level}`,
    level,
    sentence: text,
  }))
  const shared = { client: { ...client, scopes: [], optionalScopes: [] }, viewer, token }
  const user = {
    id: text,
    accountId: text,
    email: text,
    role: 'member',
    firstName: text,
    lastName: text,
    displayName: text,
    type: 1,
    verified: 1,
    pmi: 1_234_567_890,
    timezone: text,
    language: text,
    dept: text,
    company: text,
    jobTitle: text,
    location: text,
    createdAt: 0,
    lastLoginAt: null,
  } as const
  const approval = (state: 'requested' | 'approved' | 'declined' | 'withdrawn') => ({
    accountId: text,
    appId: `${state} ${text}`,
    state,
    requestedBy: text,
    requestedAt: 0,
    decidedBy: text,
    decidedAt: 0,
    appName: text,
    developerName: text,
    requestedByEmail: text,
    token,
  })
  return {
    'sign-in': renderSignInPage({ token, returnTo: text, app, email: text, refusal: text, viewer }),
    consent: renderConsentPage({
      consent: {
        request: text as Secret,
        client: shared.client,
        user,
        redirectUri: 'https://app.test/callback',
        required: scopes.slice(0, 2),
        optional: scopes.slice(2),
      },
      token,
      switchPath: text,
      viewer,
    }),
    'a missing approval': renderObstaclePage({
      ...shared,
      viewer: { ...viewer, isAdmin: false },
      obstacle: { kind: 'approval', state: 'declined' },
      returnTo: text,
      switchPath: text,
      back: text,
    }),
    'a missing role': renderObstaclePage({
      ...shared,
      obstacle: { kind: 'role', needed: 'owner' },
      returnTo: text,
      switchPath: text,
    }),
    'a wrong address': renderRefusalPage(
      {
        kind: 'redirect-mismatch',
        appName: text,
        received: `https://app.test/${text}`,
        registered: ['https://app.test/callback', `https://other.test/${text}`],
      },
      viewer,
    ),
    'a missing address': renderRefusalPage(
      { kind: 'redirect-mismatch', appName: text, received: undefined, registered: [] },
      undefined,
    ),
    'a broken link': renderRefusalPage({ kind: 'malformed', message: text }, undefined),
    'a disabled app': renderRefusalPage({ kind: 'disabled', appName: text }, undefined),
    'device entry': renderDeviceEntryPage({ token, viewer, code: text, refusal: text }),
    'device confirmation': renderDeviceConfirmationPage({
      device: {
        userCode: text,
        client: shared.client,
        required: scopes.slice(0, 1),
        optional: scopes.slice(1),
        address: text,
        createdAt: 0,
        obstacle: undefined,
      },
      isNear: false,
      token,
      viewer,
      switchPath: text,
    }),
    'device done': renderDeviceDonePage('allowed', viewer),
    'added apps': renderAddedAppsPage({
      apps: [{ appId: text, name: text, accountName: text, since: 0, scopes, token }],
      accountApps: [
        {
          appId: `account ${text}`,
          name: text,
          accountName: text,
          since: 0,
          scopes,
          allowedBy: [{ userId: text, email: text, since: 0 }],
          token,
        },
      ],
      viewer,
      note: text,
    }),
    approvals: renderApprovalsPage({
      requests: { rows: [approval('requested')], nextPath: '/my/approvals' },
      approved: { rows: [approval('approved')] },
      refused: { rows: [approval('declined'), approval('withdrawn')] },
      isRequired: true,
      isSaved: true,
      settingToken: token,
      viewer,
    }),
    ...consolePages(text),
  }
}
