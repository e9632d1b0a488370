/** Returns a UUID that is easy to type and to tell from a random one. */
const id = (number: number) => `de300000-0000-4000-8000-${String(number).padStart(12, '0')}`

/**
 * Names and ids of the demo data of a development server. The examples in the OpenAPI document use
 * them, so that they work unchanged. The server generates secrets at the start and prints them.
 */
export const demo = {
  agent: { id: id(1), username: 'demo-agent' },
  repository: { id: id(2), name: 'skills' },
  skill: { id: id(3), slug: 'write-meeting-minutes', name: 'Write meeting minutes' },
  /** A second key of the agent. Its secret is not printed. */
  apiKey: { id: id(4), name: 'laptop' },
  trustedPublisher: { id: id(6), repository: 'acme/tools', workflow: 'publish.yml' },
  verification: { id: id(5), domain: 'demo.example' },
  /** An imported repository that the agent can claim. */
  imported: { owner: 'acme', repo: 'tools' },
  /** Test 1 of RFC 8032 §7.1, so the private key is public, and its proof for the agent. */
  signingKey: {
    publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    proof:
      'CFDcmYKaekGRxQsBFDjnpcTXOoeHAsY6ckidYAhdtrslInzYl7hsJJ/VZlp+HpzLOibSNdkWur+kEWsosLS5CA==',
  },
  account: { id: id(10), name: 'Acme' },
  users: {
    owner: { id: id(11), email: 'owner@acme.test' },
    admin: { id: id(12), email: 'admin@acme.test' },
    member: { id: id(13), email: 'user@acme.test' },
  },
  meeting: 12345678901,
  /** A meeting that has ended, and the id of its recording. */
  pastMeeting: 12345678902,
  contentAccess: id(14),
  recording: id(15),
  apps: {
    scheduler: { id: id(21), name: 'Scheduler', clientId: 'demo-scheduler' },
    reporter: { id: id(22), name: 'Reporter', clientId: 'demo-reporter' },
    helperBot: { id: id(23), name: 'Helper bot', clientId: 'demo-helper-bot' },
    /** The public client that `/docs` uses. */
    docs: { id: id(24), name: 'Documentation', clientId: 'demo-docs' },
    /** An app with classic scopes. */
    notetaker: { id: id(25), name: 'Notetaker', clientId: 'demo-notetaker' },
  },
  redirectUri: 'http://127.0.0.1:8090/callback',
  /** A webhook delivery to the first app. */
  delivery: id(31),
} as const
