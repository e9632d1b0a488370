import { registryContract } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Act, AgentPage, Item, Part } from './page.tsx'

const { apiKeys, organizations, invitations, repositories } = registryContract
const { skills, transfers, trustedPublishers, versions } = registryContract

/** Returns a function that reads a field of an item as a text. */
const text = (name: string) => (item: Item) => String(item[name] ?? '')
const byId = (item: Item) => ({ id: text('id')(item) })
const byMember = (item: Item) => ({ member: text('username')(item) })
const byVersion = (item: Item) => ({ version: text('version')(item) })
const nested = (name: string, field: string) => (item: Item) => text(field)(Object(item[name]))
const byWaiting = (item: Item) => ({
  id: nested('skill', 'id')(item),
  version: nested('version', 'version')(item),
})
const is = (name: string, value: unknown) => (item: Item) => item[name] === value
const has = (name: string) => (item: Item) => item[name] !== null
const isOwner = is('role', 'owner')

type More = Partial<Act>
const act = (label: string, route: AppRoute, done: string, more: More = {}): Act => ({
  ...{ label, route, done },
  ...more,
})

/** A part with one form. */
const form = (
  title: string,
  label: string,
  route: AppRoute,
  done: string,
  more: More = {},
): Part => ({
  title,
  acts: [act(label, route, done, more)],
})

const ofOwner = (part: Part): Part => ({ ...part, isFor: isOwner })

const stopTrusting = act('Stop trusting', trustedPublishers.delete, 'It may no longer publish.', {
  ...{ of: byId, isDanger: true },
  asks: 'Its jobs can no longer publish. Keys that they have end within 15 minutes.',
})
const endsKey: More = {
  ...{ of: byId, isDanger: true, isFor: is('revokedAt', null) },
  asks: 'Whoever uses this key loses access immediately, also in browsers. You cannot undo this.',
}

/** Pages of agents by path. Each form sends what one route of the API takes. */
export const pagesByPath: Readonly<Record<string, AgentPage>> = {
  '/agents/me/organizations': {
    title: 'Organizations',
    parts: [
      {
        title: 'Your organizations',
        list: organizations.list,
        name: text('username'),
        link: (item) => `/agents/me/organizations/${text('username')(item)}`,
        facts: ['displayName', 'role', 'skillCount'],
        acts: [],
      },
      {
        title: 'Invitations',
        list: invitations.list,
        name: text('organization'),
        facts: ['role', 'expiresAt'],
        acts: [
          act('Accept', invitations.accept, 'You are a member now.', { of: byId }),
          act('Decline', invitations.delete, 'The invitation is declined.', { of: byId }),
        ],
      },
      form('Use an invitation code', 'Join', invitations.acceptCode, 'You are a member now.'),
      form(
        'Create an organization',
        'Create organization',
        organizations.create,
        'The organization is created. You are its owner.',
      ),
    ],
  },
  '/agents/me/organizations/:username': {
    title: 'username',
    subject: organizations.get,
    parts: [
      {
        title: 'Members',
        list: organizations.members,
        name: text('username'),
        facts: ['role'],
        acts: [
          ...['owner', 'publisher', 'reader'].map((role) =>
            act(`Make ${role}`, organizations.changeMember, 'The role is changed.', {
              ...{ of: byMember, body: { role }, isFor: (item) => item.role !== role },
            }),
          ),
          act('Remove', organizations.removeMember, 'The member is removed.', {
            ...{ of: byMember, isDanger: true },
            asks: 'The member loses access at once, with all keys. To leave, remove yourself.',
          }),
        ],
      },
      ofOwner({
        title: 'Versions that wait for approval',
        list: versions.approvals,
        name: (item) => `${nested('skill', 'address')(item)}@${nested('version', 'version')(item)}`,
        link: (item) => new URL(text('url')(item)).pathname + new URL(text('url')(item)).search,
        facts: ['publishedBy', 'warnings'],
        acts: [
          act('Approve', versions.approve, 'The version is approved.', {
            ...{ of: byWaiting, asks: 'Everybody who may read the skill gets the version then.' },
          }),
          act('Decline', versions.decline, 'The version is declined.', {
            ...{ of: byWaiting, asks: 'Only publishers see the version, with your reason.' },
            isDanger: true,
          }),
        ],
      }),
      ofOwner({
        title: 'Pending invitations',
        list: invitations.listSent,
        name: (item) => text('username')(item) || 'By code',
        facts: ['role', 'expiresAt'],
        acts: [act('Revoke', invitations.delete, 'The invitation is revoked.', { of: byId })],
      }),
      ofOwner(
        form('Invite an agent', 'Invite', invitations.create, 'The agent is invited.', {
          once: 'code',
        }),
      ),
      ofOwner({
        title: 'API keys for this organization',
        list: organizations.apiKeys,
        name: text('name'),
        facts: ['agent', 'keyPrefix', 'access', 'limitedTo', 'expiresAt', 'lastUsedAt', 'useCount'],
        acts: [act('End', organizations.revokeApiKey, 'The key has ended.', endsKey)],
      }),
      ofOwner({
        title: 'Trusted publishers',
        list: trustedPublishers.list,
        query: ({ username }) => ({ owner: username }),
        name: text('repository'),
        facts: ['workflow', 'environment', 'issuer', 'limitedTo'],
        acts: [stopTrusting],
      }),
      ofOwner(form('Settings', 'Save settings', organizations.update, 'The settings are saved.')),
      ofOwner(
        form('Delete this organization', 'Delete', organizations.delete, '', {
          ...{ isDanger: true, next: '/agents/me/organizations' },
          asks: 'Its members and invitations go with it, and nobody can take its name. It must have no skills.',
        }),
      ),
    ],
  },
  '/agents/me/repositories': {
    title: 'Repositories',
    parts: [
      {
        title: 'Your repositories',
        list: repositories.list,
        query: () => ({ limit: 50 }),
        name: (item) => `${item.owner}/${item.name}`,
        link: (item) => `/${item.owner}/${item.name}`,
        facts: ['visibility'],
        acts: [
          act('Make private', repositories.update, 'The repository is private.', {
            ...{ of: byId, body: { visibility: 'private' }, isFor: is('visibility', 'public') },
            asks: 'Only the owner and its members find and read its skills then.',
          }),
          act('Make public', repositories.update, 'The repository is public.', {
            ...{ of: byId, body: { visibility: 'public' }, isFor: is('visibility', 'private') },
            asks: 'Everybody can find and read all its skills and all their versions then.',
          }),
          act('Transfer', transfers.create, 'The new owner can accept the repository.', {
            of: byId,
            asks: 'The new owner has seven days to accept. Former addresses redirect for 30 days.',
          }),
        ],
      },
      {
        title: 'Pending transfers',
        list: transfers.list,
        name: (item) => `${item.from} to ${item.to}`,
        facts: ['expiresAt'],
        acts: [
          act('Accept', transfers.accept, 'The repository has its new owner.', { of: byId }),
          act('Cancel', transfers.delete, 'The transfer has ended.', { of: byId }),
        ],
      },
      form(
        'Create a repository',
        'Create repository',
        repositories.create,
        'The repository is created.',
      ),
    ],
  },
  '/agents/me/skills/:id': {
    title: 'Versions of a skill',
    parts: [
      {
        title: 'Newest first',
        list: skills.versions,
        name: (item) => `Version ${item.version}`,
        facts: [
          ...['createdAt', 'verdict', 'label', 'distTags', 'approval', 'approvalNote'],
          ...['withdrawn', 'deprecated'],
        ],
        acts: [
          act('Withdraw', versions.withdraw, 'The version is withdrawn.', {
            ...{ of: byVersion, isDanger: true, isFor: is('withdrawn', null) },
            asks: 'Nobody new gets the version. The newest good one is current. You can restore it.',
          }),
          act('Restore', versions.restore, 'Readers get the version again.', {
            ...{ of: byVersion, isFor: has('withdrawn') },
          }),
          act('Deprecate', versions.deprecate, 'The version is deprecated.', {
            ...{ of: byVersion, isFor: is('deprecated', null) },
            asks: 'The version stays, and readers see that they should no longer use it.',
          }),
          act('Undeprecate', versions.undeprecate, 'The version is no longer deprecated.', {
            ...{ of: byVersion, isFor: has('deprecated') },
          }),
        ],
      },
    ],
  },
  '/agents/me/keys': {
    title: 'API keys',
    parts: [
      {
        title: 'Your API keys',
        list: apiKeys.list,
        name: text('name'),
        facts: [
          ...['keyPrefix', 'access', 'limitedTo', 'expiresAt', 'revokedAt'],
          ...['lastUsedAt', 'lastUsedNetwork', 'useCount'],
        ],
        acts: [act('Revoke', apiKeys.revoke, 'The key is revoked.', endsKey)],
      },
      form('Create a key', 'Create key', apiKeys.create, 'The key is created.', { once: 'key' }),
    ],
  },
  '/agents/me/publishers': {
    title: 'Trusted publishers',
    parts: [
      {
        title: 'Workflows that may publish without a key',
        list: trustedPublishers.list,
        name: text('repository'),
        facts: ['workflow', 'environment', 'issuer', 'limitedTo', 'createdAt'],
        acts: [stopTrusting],
      },
      form(
        'Trust a workflow',
        'Trust workflow',
        trustedPublishers.create,
        'The workflow may publish now.',
      ),
    ],
  },
}
