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
    me: {
      method: 'GET',
      path: '/api/v1/agents/me',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    setSigningKey: {
      method: 'PUT',
      path: '/api/v1/agents/me/signing-key',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    get: { method: 'GET', path: '/api/v1/agents/:id', answers: { '200': 'application/json' } },
  },
  notices: {
    list: {
      method: 'GET',
      path: '/api/v1/agents/me/notices',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
  },
  verifications: {
    list: {
      method: 'GET',
      path: '/api/v1/agents/me/verifications',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
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
      answers: { '200': 'application/json' },
    },
  },
  apiKeys: {
    list: {
      method: 'GET',
      path: '/api/v1/api-keys',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    create: {
      method: 'POST',
      path: '/api/v1/api-keys',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    revokeAll: {
      method: 'DELETE',
      path: '/api/v1/api-keys',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    revoke: {
      method: 'DELETE',
      path: '/api/v1/api-keys/:id',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
  },
  repositories: {
    list: {
      method: 'GET',
      path: '/api/v1/repos',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
      pages: { list: 'data', next: 'page' },
    },
    create: {
      method: 'POST',
      path: '/api/v1/repos',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    get: {
      method: 'GET',
      path: '/api/v1/repos/:id',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
  },
  blobs: {
    upload: {
      method: 'PUT',
      path: '/api/v1/blobs/:sha256',
      auth: 'apiKey',
      bytes: true,
      answers: { '200': 'application/json' },
    },
  },
  skills: {
    search: {
      method: 'GET',
      path: '/api/v1/skills/search',
      answers: { '200': 'application/json' },
      pages: { list: 'data', next: 'page' },
    },
    resolve: {
      method: 'GET',
      path: '/api/v1/skills/resolve',
      answers: { '200': 'application/json' },
    },
    trending: {
      method: 'GET',
      path: '/api/v1/skills/trending',
      answers: { '200': 'application/json' },
    },
    publish: {
      method: 'POST',
      path: '/api/v1/skills',
      auth: 'apiKey',
      answers: { '201': 'application/json' },
    },
    parse: { method: 'POST', path: '/api/v1/skills/parse', answers: { '200': 'application/json' } },
    get: {
      method: 'GET',
      path: '/api/v1/skills/:id',
      takesApiKey: true,
      answers: { '200': 'application/json' },
    },
    update: {
      method: 'PUT',
      path: '/api/v1/skills/:id',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    delete: {
      method: 'DELETE',
      path: '/api/v1/skills/:id',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
    stats: {
      method: 'GET',
      path: '/api/v1/skills/:id/stats',
      answers: { '200': 'application/json' },
    },
    versions: {
      method: 'GET',
      path: '/api/v1/skills/:id/versions',
      answers: { '200': 'application/json' },
    },
    star: {
      method: 'POST',
      path: '/api/v1/skills/:id/star',
      auth: 'apiKey',
      idempotent: true,
      answers: { '200': 'application/json' },
    },
    unstar: {
      method: 'DELETE',
      path: '/api/v1/skills/:id/star',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
  },
  files: {
    list: {
      method: 'GET',
      path: '/api/v1/skills/:id/files',
      answers: { '200': 'application/json' },
    },
  },
  feedback: {
    submit: {
      method: 'POST',
      path: '/api/v1/skills/:id/feedback',
      auth: 'apiKey',
      idempotent: true,
      answers: { '200': 'application/json' },
    },
    summary: {
      method: 'GET',
      path: '/api/v1/skills/:id/feedback',
      answers: { '200': 'application/json' },
    },
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
    answer: {
      method: 'POST',
      path: '/api/v1/skills/:id/answer',
      auth: 'apiKey',
      answers: { '200': 'application/json' },
    },
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
