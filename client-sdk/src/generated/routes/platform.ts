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
      pages: { list: 'users', next: 'next_page_token' },
    },
    create: {
      method: 'POST',
      path: '/v2/users',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
    get: { method: 'GET', path: '/v2/users/:userId', auth: 'accessToken' },
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
    createToken: { method: 'GET', path: '/v2/users/:userId/token', auth: 'accessToken' },
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
      pages: { list: 'meetings', next: 'next_page_token' },
    },
    get: { method: 'GET', path: '/v2/meetings/:meetingId', auth: 'accessToken' },
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
      pages: { list: 'apps', next: 'next_page_token' },
    },
    register: {
      method: 'POST',
      path: '/v2/marketplace/apps',
      auth: 'accessToken',
      answers: { '201': 'application/json' },
    },
    get: { method: 'GET', path: '/v2/marketplace/apps/:appId', auth: 'accessToken' },
    update: {
      method: 'PATCH',
      path: '/v2/marketplace/apps/:appId',
      auth: 'accessToken',
      idempotent: true,
    },
    rotateClientSecret: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/rotate_client_secret',
      auth: 'accessToken',
    },
    rotateSecretToken: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/rotate_secret_token',
      auth: 'accessToken',
    },
    previewMigration: {
      method: 'GET',
      path: '/v2/marketplace/apps/:appId/migration',
      auth: 'accessToken',
    },
    migrate: { method: 'POST', path: '/v2/marketplace/apps/:appId/migration', auth: 'accessToken' },
  },
  approvals: {
    list: {
      method: 'GET',
      path: '/v2/marketplace/approvals',
      auth: 'accessToken',
      pages: { list: 'approvals', next: 'next_page_token' },
    },
    decide: { method: 'PUT', path: '/v2/marketplace/approvals/:appId', auth: 'accessToken' },
    getSettings: { method: 'GET', path: '/v2/marketplace/settings', auth: 'accessToken' },
    updateSettings: {
      method: 'PATCH',
      path: '/v2/marketplace/settings',
      auth: 'accessToken',
      idempotent: true,
    },
  },
  deliveries: {
    validateEndpoint: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/validate_endpoint',
      auth: 'accessToken',
      idempotent: true,
    },
    list: {
      method: 'GET',
      path: '/v2/marketplace/apps/:appId/deliveries',
      auth: 'accessToken',
      pages: { list: 'deliveries', next: 'next_page_token' },
    },
    redeliver: {
      method: 'POST',
      path: '/v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver',
      auth: 'accessToken',
    },
  },
}
