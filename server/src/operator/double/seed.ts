import { chatbotScope, NewMeeting, Seeded, SkillPublication } from '@skillpass/contract'
import { z } from 'zod'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/change-feed.ts'
import { UniqueViolation } from '../../db/errors.ts'
import { Failure, fail, invalidBody } from '../../errors/failure.ts'
import { planMeeting } from '../../meetings/meeting-changes.ts'
import { findNamedApp } from '../../oauth/apps/moderation.ts'
import { narrowScopes, registeredScopes } from '../../oauth/scopes.ts'
import { createGrantId } from '../../oauth/tokens.ts'
import { joinUrl, passcodeOf } from '../../people/meeting-access.ts'
import { findNamedUser } from '../../people/users.ts'
import { createDatedSecret, hashSecret } from '../../secrets/secrets.ts'
import { parseSkill } from '../../skills/parse.ts'
import { publishSkill } from '../../skills/publish.ts'
import { findAgentByKey } from '../../store/agents/api-keys.ts'
import { findClient, findClients } from '../../store/oauth/clients.ts'
import { insertGrant } from '../../store/oauth/grants.ts'
import { insertAccessToken, insertRefreshToken } from '../../store/oauth/tokens.ts'
import { insertMeeting, insertOccurrences } from '../../store/platform/meetings.ts'
import { addressOf } from '../../store/registry/skill-record.ts'
import { type Applied, applyParsed, randomPassword } from '../apply/apply.ts'
import { accountsOf, createProblemList, Declaration, parseDeclared } from '../apply/declaration.ts'
import { checkedSecret } from '../apply/fixed.ts'
import { importSkills } from '../importing/import.ts'

const meetingNumber = z
  .int()
  .refine((id) => /^[1-9]\d{9,10}$/.test(`${id}`), 'must have 10 or 11 digits')

const SeedMeeting = z.intersection(
  z.object({ host: z.string(), id: meetingNumber.optional() }),
  NewMeeting,
)

const SeedToken = z.strictObject({
  app: z.string(),
  environment: z.enum(['development', 'production']).default('production'),
  /** Required for a general app. Tokens of other apps have no user. */
  user: z.string().optional(),
  /** By default, all that the app registered. */
  scopes: z.array(z.string()).optional(),
  accessToken: checkedSecret('accessToken'),
  refreshToken: checkedSecret('refreshToken'),
  /** Name in the result. By default, the names of the app and the user. */
  name: z.string().optional(),
})

/** A SKILL.md, or a path on this machine with one or more of them. */
const SeedSkill = z.union(
  [
    z.strictObject({ agent: z.string(), text: z.string() }),
    z.strictObject({ agent: z.string(), folder: z.string() }),
  ],
  'must have an agent, and either text or folder',
)

/** A declaration whose users need no password, and what else a double begins with. */
const Seed = Declaration.safeExtend({
  meetings: z.array(SeedMeeting).default([]),
  tokens: z.array(SeedToken).default([]),
  skills: z.array(SeedSkill).default([]),
})

/** The same type with readonly lists, as of constants. */
type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T

export type Seed = Immutable<z.input<typeof Seed>>

export const noSeed: Seeded = {
  accounts: {},
  users: {},
  apps: {},
  agents: {},
  meetings: {},
  tokens: {},
  skills: {},
}

export const parseSeed = (input: unknown): z.output<typeof Seed> => parseDeclared(Seed, input)

/**
 * Fills an empty database, and returns ids and secrets by name. Throws an error with one line per
 * problem. The database may then hold a part of the seed.
 */
export async function applySeed(ctx: RegistryContext, input: Seed): Promise<Seeded> {
  const seed = parseSeed(input)
  const declaredUsers = accountsOf(seed).flatMap(({ declared }) => declared.users)
  for (const user of declaredUsers) user.password ??= randomPassword(ctx.random)
  const { accounts, apps, agents } = await applyParsed(ctx, seed)
  const { addProblem, throwIfAny } = createProblemList()
  const addAll = async <T, R>(key: string, items: T[], add: (item: T) => Promise<R>) => {
    const added: R[] = []
    for (const [index, item] of items.entries()) {
      try {
        added.push(await add(item))
      } catch (error) {
        if (!(error instanceof Failure || error instanceof UniqueViolation)) throw error
        addProblem([key, index], error.message)
      }
    }
    return added
  }
  const meetings = await addAll('meetings', seed.meetings, (one) => addMeeting(ctx, one))
  const tokens = await addAll('tokens', seed.tokens, (one) => addToken(ctx, one))
  await addAll('skills', seed.skills, ({ agent: name, ...source }) => {
    const agent = agents.find(({ username }) => username === name)
    return addSkill(ctx, agent ?? fail(404, `The seed has no agent ${name}.`), source)
  })
  throwIfAny()
  await catchUp(ctx)
  const { atSlot, unusedSlot } = ctx.catalogue
  const skills = Array.from({ length: unusedSlot() }, (_, slot) => atSlot(slot) ?? []).flat()
  const passwords = new Map(declaredUsers.map(({ email, password }) => [email, password]))
  const users = accounts.flatMap((account) => account.users)
  return Seeded.parse({
    accounts: by('name', accounts),
    users: by(
      'email',
      users.map((user) => ({ ...user, password: passwords.get(user.email) })),
    ),
    apps: by(
      'name',
      apps.map(({ production, ...app }) => ({ ...app, ...production })),
    ),
    agents: by('username', agents),
    meetings: by('topic', meetings),
    tokens: by('name', tokens),
    skills: by(
      'slug',
      skills.map((skill) => ({ ...skill, address: addressOf(skill) })),
    ),
  })
}

const by = <K extends string>(key: K, items: readonly Record<K, string>[]) =>
  Object.fromEntries(items.map((item) => [item[key], item]))

async function addMeeting(
  ctx: RegistryContext,
  { host: hostName, id, ...input }: z.output<typeof SeedMeeting>,
) {
  const host = await findNamedUser(ctx.db.read, hostName)
  const { meeting: planned, occurrences } = planMeeting(ctx, host, input)
  const meeting = { ...planned, id: id ?? planned.id }
  await ctx.db.write(async (trx) => {
    await insertMeeting(trx, meeting)
    await insertOccurrences(trx, meeting.id, occurrences)
  })
  return { ...meeting, joinUrl: joinUrl(ctx.config, meeting.id, passcodeOf(ctx, meeting)) }
}

/** Stores a token, or for a user a grant with a pair of tokens. */
async function addToken(ctx: RegistryContext, token: z.output<typeof SeedToken>) {
  const { db, random, steadyNow } = ctx
  const [now, { lifetimes }] = [steadyNow(), ctx.config]
  const app = await findNamedApp(db.read, token.app)
  const { clientId } = (await findClients(db.read, app.id))[token.environment]
  const client = (await findClient(db.read, clientId)) ?? fail(404)
  const user = token.user === undefined ? undefined : await findNamedUser(db.read, token.user)
  if ((user !== undefined) !== (app.type === 'general')) {
    fail(400, `A token of ${app.name} ${user ? 'has no' : 'needs a'} user.`)
  }
  const available = app.type === 'chatbot' ? [chatbotScope] : registeredScopes(client)
  const access = {
    clientId,
    accountId: (user ?? app).accountId,
    scopes: narrowScopes(token.scopes?.join(' '), available).join(' '),
    resource: null,
  }
  const accessToken = token.accessToken ?? createDatedSecret('accessToken', random, now)
  const refreshToken = token.refreshToken ?? createDatedSecret('refreshToken', random, now)
  const grantId = user ? createGrantId(ctx) : null
  await db.write(async (trx) => {
    if (user && grantId) {
      const grant = { ...access, id: grantId, appId: app.id, userId: user.id, createdAt: now }
      await insertGrant(trx, grant)
      const expiresAt = now + lifetimes.refreshToken
      await insertRefreshToken(trx, { key: hashSecret(refreshToken), grantId, expiresAt })
    }
    const [key, expiresAt] = [hashSecret(accessToken), now + lifetimes.accessToken]
    await insertAccessToken(trx, { ...access, key, grantId, userId: user?.id ?? null, expiresAt })
  })
  const name = token.name ?? [token.app, token.user ?? []].flat().join(' ')
  return { name, accessToken, ...(user && { refreshToken }) }
}

async function addSkill(
  ctx: RegistryContext,
  { username, apiKey }: Applied['agents'][number],
  source: { text: string } | { folder: string },
) {
  if ('text' in source) {
    const readme = source.text
    const holder = apiKey && (await findAgentByKey(ctx.db.read, { keyHash: hashSecret(apiKey) }))
    if (!holder) fail(404)
    const { data: fields } = await parseSkill(ctx, { readme, folder: '', files: [] })
    const { data, error } = SkillPublication.safeParse({ ...fields, readme })
    if (error) throw invalidBody(error.issues)
    await publishSkill(ctx, holder, data, () => {})
    return
  }
  await importSkills(ctx, [source.folder], {
    ...{ as: username, owner: username, repo: 'skills' },
    onNote({ kind, source: file, message }) {
      if (kind === 'refused') fail(400, `${file}: ${message}`)
    },
  })
}
