// Generated from the contract by `npm run generate`: change that, not this file.

import type { RoutesOf } from '../../route.ts'
import type { OAuthCalls } from '../calls/oauth.ts'

/** How each call of `oauth` goes over the wire. */
export const oauthRoutes: RoutesOf<OAuthCalls> = {
  authorize: {
    method: 'GET',
    path: '/oauth/authorize',
    answers: {
      '200': 'text/html',
      '302': null,
      '400': 'text/html',
      '403': 'text/html',
      '429': 'text/html',
      '500': 'text/html',
      '503': 'text/html',
    },
  },
  token: { method: 'POST', path: '/oauth/token', auth: 'client', form: true },
  device: { method: 'POST', path: '/oauth/devicecode', auth: 'client', form: true },
  revoke: { method: 'POST', path: '/oauth/revoke', auth: 'client', form: true, idempotent: true },
  introspect: {
    method: 'POST',
    path: '/oauth/introspect',
    auth: 'client',
    form: true,
    idempotent: true,
  },
  metadata: { method: 'GET', path: '/.well-known/oauth-authorization-server' },
}
