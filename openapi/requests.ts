import { demo } from '@skillpass/contract'

/** Example request of an operation in the interactive documentation. */
interface Request {
  /** Examples of parameters by name. undefined removes an example. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: object
}

const wholeMeeting = { parameters: { occurrence_id: undefined } }

/** Example requests for operations whose composed example would fail with the demo data. */
export const requests: Readonly<Record<string, Request>> = {
  'registry.agents.get': { parameters: { id: demo.agent.id } },
  'registry.apiKeys.revoke': { parameters: { id: demo.apiKey.id } },
  'registry.verifications.check': { parameters: { id: demo.verification.id } },
  'registry.skills.publish': {
    body: {
      name: 'PDF form filler',
      slug: 'pdf-form-filler',
      description: 'Fills PDF forms from structured data. Use when a form must be completed.',
      readme: '# PDF form filler\n\n1. Read the field names …\n',
      tags: ['pdf', 'forms'],
    },
  },
  'registry.skills.update': {
    body: {
      description: 'Writes meeting minutes with decisions, owners and due dates.',
      readme:
        '# Write meeting minutes\n\n1. List the participants.\n2. Write the decisions first.\n',
      tags: ['meetings', 'minutes'],
    },
  },
  'platform.users.create': {
    body: {
      action: 'create',
      user_info: {
        email: 'nina@acme.test',
        first_name: 'Nina',
        last_name: 'Newman',
        type: 1,
        password: 'correct horse battery',
      },
    },
  },
  'platform.users.remove': { parameters: { userId: demo.users.member.id } },
  'platform.meetings.create': {
    body: {
      topic: 'Planning',
      type: 2,
      start_time: '2030-01-15T10:00:00Z',
      duration: 45,
      timezone: 'Europe/Berlin',
      agenda: 'Goals of the next quarter',
      settings: { join_before_host: true, mute_upon_entry: true },
    },
  },
  'platform.meetings.get': wholeMeeting,
  'platform.meetings.update': {
    ...wholeMeeting,
    body: { topic: 'Planning of the next quarter', duration: 60 },
  },
  'platform.meetings.remove': wholeMeeting,
  'platform.contentAccess.getIndicator': { parameters: { meeting_sdk_version: undefined } },
  'platform.apps.register': {
    body: {
      name: 'Timekeeper',
      type: 'general',
      visibility: 'private',
      production: {
        scopes: ['user:read:user'],
        optional_scopes: ['meeting:write:meeting'],
        redirect_uris: [demo.redirectUri],
      },
    },
  },
  'platform.apps.update': {
    body: { device_flow: true, production: { optional_scopes: ['meeting:write:meeting'] } },
  },
  'platform.apps.previewMigration': { parameters: { appId: demo.apps.notetaker.id } },
  'platform.apps.migrate': { parameters: { appId: demo.apps.notetaker.id } },
  'double.seed': {
    body: {
      accounts: [{ name: demo.account.name, users: [{ email: demo.users.owner.email }] }],
      meetings: [{ host: demo.users.owner.email, topic: 'Planning' }],
    },
  },
  'double.setClock': { body: { advance: '1h' } },
  'double.authorize': {
    body: { app: demo.apps.scheduler.name, user: demo.users.member.email },
  },
  'double.addFault': { body: { route: 'POST /oauth/token', status: 503, times: 2 } },
  'double.releaseWebhooks': { body: { order: 'reversed' } },
}
