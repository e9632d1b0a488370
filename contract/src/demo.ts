/** A UUID that can be told from a random one at sight, and typed. */
const id = (number: number) => `de300000-0000-4000-8000-${String(number).padStart(12, '0')}`

/**
 * Names and ids of the demo data with which a development server begins. The document's examples are
 * about these, so that each works as it stands; secrets are random and printed at the start.
 */
export const demo = {
  agent: { id: id(1), username: 'demo-agent' },
  /** Where the agent publishes. */
  repository: { id: id(2), name: 'skills' },
  skill: { id: id(3), slug: 'write-meeting-minutes', name: 'Write meeting minutes' },
  /** A second key of the agent, which nobody holds. */
  apiKey: { id: id(4), name: 'laptop' },
  /** What the agent has proven. */
  verification: { id: id(5), domain: 'demo.example' },
  /** A repository that was imported, and that the agent may claim. */
  imported: { owner: 'acme', repo: 'tools' },
  /** The first key of RFC 8032 §7.1, whose private part all the world knows, and its proof for the agent. */
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
  contentAccess: id(14),
  apps: {
    scheduler: { id: id(21), name: 'Scheduler', clientId: 'demo-scheduler' },
    reporter: { id: id(22), name: 'Reporter', clientId: 'demo-reporter' },
    helperBot: { id: id(23), name: 'Helper bot', clientId: 'demo-helper-bot' },
    /** What `/docs` itself authorizes as: a public client. */
    docs: { id: id(24), name: 'Documentation', clientId: 'demo-docs' },
    /** An app of before, with classic scopes. */
    notetaker: { id: id(25), name: 'Notetaker', clientId: 'demo-notetaker' },
  },
  redirectUri: 'http://127.0.0.1:8090/callback',
  /** An event that was sent to the first of the apps. */
  delivery: id(31),
} as const
