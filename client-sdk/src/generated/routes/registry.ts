// Generated from the contract by `npm run generate`: change that, not this file.

import type { RoutesOf } from '../../route.ts'
import type { RegistryCalls } from '../calls/registry/index.ts'

/** How each call of `registry` goes over the wire. */
export const registryRoutes: RoutesOf<RegistryCalls> = {
  health: {
    check: {
      method: 'GET',
      path: '/api/v1/health',
      answers: { '200': 'application/json', '503': 'application/json' },
    },
  },
  agents: {
    register: {
      method: 'POST',
      path: '/api/v1/agents/register',
      answers: { '201': 'application/json' },
    },
    me: { method: 'GET', path: '/api/v1/agents/me', auth: 'apiKey' },
    setSigningKey: { method: 'PUT', path: '/api/v1/agents/me/signing-key', auth: 'apiKey' },
    get: { method: 'GET', path: '/api/v1/agents/:id' },
  },
  notices: {
    list: { method: 'GET', path: '/api/v1/agents/me/notices', auth: 'apiKey' },
  },
  verifications: {
    list: { method: 'GET', path: '/api/v1/agents/me/verifications', auth: 'apiKey' },
    create: {
      method: 'POST',
      path: '/api/v1/agents/me/verifications',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    check: {
      method: 'POST',
      path: '/api/v1/agents/me/verifications/:id/check',
      auth: 'apiKey',
      idempotent: true,
    },
  },
  apiKeys: {
    list: { method: 'GET', path: '/api/v1/api-keys', auth: 'apiKey' },
    create: {
      method: 'POST',
      path: '/api/v1/api-keys',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    revokeAll: { method: 'DELETE', path: '/api/v1/api-keys', auth: 'apiKey' },
    revoke: { method: 'DELETE', path: '/api/v1/api-keys/:id', auth: 'apiKey' },
  },
  repositories: {
    list: {
      method: 'GET',
      path: '/api/v1/repos',
      auth: 'apiKey',
      pages: { list: 'data', next: 'page' },
    },
    create: {
      method: 'POST',
      path: '/api/v1/repos',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    get: { method: 'GET', path: '/api/v1/repos/:id', auth: 'apiKey' },
  },
  blobs: {
    upload: { method: 'PUT', path: '/api/v1/blobs/:sha256', auth: 'apiKey', bytes: true },
  },
  skills: {
    search: { method: 'GET', path: '/api/v1/skills/search', pages: { list: 'data', next: 'page' } },
    resolve: { method: 'GET', path: '/api/v1/skills/resolve' },
    trending: { method: 'GET', path: '/api/v1/skills/trending' },
    publish: {
      method: 'POST',
      path: '/api/v1/skills',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    parse: { method: 'POST', path: '/api/v1/skills/parse' },
    get: { method: 'GET', path: '/api/v1/skills/:id', takesApiKey: true },
    update: { method: 'PUT', path: '/api/v1/skills/:id', auth: 'apiKey' },
    delete: { method: 'DELETE', path: '/api/v1/skills/:id', auth: 'apiKey' },
    stats: { method: 'GET', path: '/api/v1/skills/:id/stats' },
    versions: { method: 'GET', path: '/api/v1/skills/:id/versions' },
    star: { method: 'POST', path: '/api/v1/skills/:id/star', auth: 'apiKey', idempotent: true },
    unstar: { method: 'DELETE', path: '/api/v1/skills/:id/star', auth: 'apiKey' },
  },
  files: {
    list: { method: 'GET', path: '/api/v1/skills/:id/files' },
  },
  feedback: {
    submit: {
      method: 'POST',
      path: '/api/v1/skills/:id/feedback',
      auth: 'apiKey',
      idempotent: true,
    },
    summary: { method: 'GET', path: '/api/v1/skills/:id/feedback' },
  },
  reports: {
    submit: {
      method: 'POST',
      path: '/api/v1/skills/:id/report',
      auth: 'apiKey',
      idempotent: true,
      answers: { '200': 'application/json', '201': 'application/json' },
    },
  },
  quarantine: {
    answer: { method: 'POST', path: '/api/v1/skills/:id/answer', auth: 'apiKey' },
  },
  rawSkill: {
    file: {
      method: 'GET',
      path: '/:owner/:repo/:skill/files/*path',
      answers: {
        '200': 'application/octet-stream',
        '206': 'application/octet-stream',
        '304': null,
        '308': null,
      },
    },
    archive: {
      method: 'GET',
      path: '/:owner/:repo/:skill/archive.tar.gz',
      answers: { '200': 'application/gzip', '304': null, '308': null },
    },
    zip: {
      method: 'GET',
      path: '/:owner/:repo/:skill/archive.zip',
      answers: { '200': 'application/zip', '304': null, '308': null },
    },
    fetch: {
      method: 'GET',
      path: '/:owner/:repo/:skill',
      takesApiKey: true,
      answers: { '200': 'text/markdown', '304': null, '308': null },
    },
  },
}
