// Generated from the contract by `npm run generate`: change that, not this file.

import type { RoutesOf } from '../../route.ts'
import type { PlatformCalls } from '../calls/platform/index.ts'

/** How each call of `platform` goes over the wire. */
export const platformRoutes: RoutesOf<PlatformCalls> = {
  users: {
    list: {
      method: 'GET',
      path: '/v2/users',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
      pages: { list: 'users', next: 'next_page_token' },
    },
    create: {
      method: 'POST',
      path: '/v2/users',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
    get: {
      method: 'GET',
      path: '/v2/users/:userId',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    update: {
      method: 'PATCH',
      path: '/v2/users/:userId',
      auth: 'accessToken',
      idempotent: true,
      answers: { '204': null },
    },
    remove: {
      method: 'DELETE',
      path: '/v2/users/:userId',
      auth: 'accessToken',
      answers: { '204': null },
    },
    createToken: {
      method: 'GET',
      path: '/v2/users/:userId/token',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
  },
  meetings: {
    create: {
      method: 'POST',
      path: '/v2/users/:userId/meetings',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
    list: {
      method: 'GET',
      path: '/v2/users/:userId/meetings',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
      pages: { list: 'meetings', next: 'next_page_token' },
    },
    get: {
      method: 'GET',
      path: '/v2/meetings/:meetingId',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    update: {
      method: 'PATCH',
      path: '/v2/meetings/:meetingId',
      auth: 'accessToken',
      answers: { '204': null },
    },
    remove: {
      method: 'DELETE',
      path: '/v2/meetings/:meetingId',
      auth: 'accessToken',
      answers: { '204': null },
    },
  },
  contentAccess: {
    report: {
      method: 'POST',
      path: '/v2/meetings/:meetingId/content_access',
      auth: 'accessToken',
      idempotent: true,
      answers: { '201': 'application/json' },
    },
    end: {
      method: 'DELETE',
      path: '/v2/meetings/:meetingId/content_access/:id',
      auth: 'accessToken',
      answers: { '204': null },
    },
    getIndicator: {
      method: 'GET',
      path: '/v2/meetings/:meetingId/app_indicator',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
  },
  chat: {
    send: {
      method: 'POST',
      path: '/v2/im/chat/messages',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
  },
  apps: {
    list: {
      method: 'GET',
      path: '/v2/marketplace/apps',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
      pages: { list: 'apps', next: 'next_page_token' },
    },
    register: {
      method: 'POST',
      path: '/v2/marketplace/apps',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
    get: {
      method: 'GET',
      path: '/v2/marketplace/apps/:appId',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    update: {
      method: 'PATCH',
      path: '/v2/marketplace/apps/:appId',
      auth: 'accessToken',
      idempotent: true,
      answers: { '200': 'application/json' },
    },
    rotateClientSecret: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/rotate_client_secret',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    rotateSecretToken: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/rotate_secret_token',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    previewMigration: {
      method: 'GET',
      path: '/v2/marketplace/apps/:appId/migration',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    migrate: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/migration',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
  },
  approvals: {
    list: {
      method: 'GET',
      path: '/v2/marketplace/approvals',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
      pages: { list: 'approvals', next: 'next_page_token' },
    },
    decide: {
      method: 'PUT',
      path: '/v2/marketplace/approvals/:appId',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    getSettings: {
      method: 'GET',
      path: '/v2/marketplace/settings',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
    updateSettings: {
      method: 'PATCH',
      path: '/v2/marketplace/settings',
      auth: 'accessToken',
      idempotent: true,
      answers: { '200': 'application/json' },
    },
  },
  deliveries: {
    validateEndpoint: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/validate_endpoint',
      auth: 'accessToken',
      idempotent: true,
      answers: { '200': 'application/json' },
    },
    list: {
      method: 'GET',
      path: '/v2/marketplace/apps/:appId/deliveries',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
      pages: { list: 'deliveries', next: 'next_page_token' },
    },
    redeliver: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver',
      auth: 'accessToken',
      answers: { '200': 'application/json' },
    },
  },
}
