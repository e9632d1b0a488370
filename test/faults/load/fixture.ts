import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { callback, credentialsOf, password } from '../../support/apps.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operateJson } from '../../support/commands.ts'
import { type App, type Http, serverAt } from '../../support/oauth-client.ts'
import { openSession, type Session, signIn } from '../../support/people.ts'

export interface LoadApp extends App {
  readonly id: string
  readonly name: string
  readonly secretToken: string
}

/** What a database holds before tokens are asked for; it outlives each server that is started on it. */
export interface LoadFixture {
  accountId: string
  /** Apps that users may allow, in a browser or on a device. */
  apps: LoadApp[]
  /** The app that uses its own account, without a user. */
  reporter: LoadApp
  /** Ids of the users, and cookie headers of their sessions. */
  userIds: string[]
  cookies: string[]
}

const usersOf = (account: string) =>
  ['ann', 'ben'].map((name) => ({ email: `${name}@${account.toLowerCase()}.test`, password }))
const appNames = Array.from({ length: 8 }, (_, i) => `App ${i + 1}`)

/**
 * Declares an account, its users and apps, and signs the users in at a server: hashing is slow. Loads
 * that run side by side need an account each, for they remove the apps of its users.
 */
export async function prepareFixture(
  databaseUrl: string,
  url: string,
  accountName = 'Load',
  deauthorizationUrlOf?: (appName: string) => string,
): Promise<LoadFixture> {
  const users = usersOf(accountName)
  const applied = await declareOn(databaseUrl, accountName, deauthorizationUrlOf)
  const sessions = await Promise.all(users.map((user) => signIn(serverAt(url), user)))
  const apps = applied.apps.map(({ name, id, secretToken = '' }) => ({
    ...{ name, id, secretToken },
    ...credentialsOf(applied, name),
  }))
  const reporter = apps.find(({ name }) => name === 'Reporter')
  const [account] = applied.accounts
  if (!reporter || !account) throw new Error('The fixture was not declared.')
  return {
    accountId: account.id,
    apps: apps.filter((app) => app !== reporter),
    reporter,
    userIds: account.users.map(({ id }) => id),
    cookies: sessions.map((session) => session.cookie()),
  }
}

async function declareOn(
  databaseUrl: string,
  account: string,
  urlOf?: (appName: string) => string,
): Promise<Applied> {
  const users = usersOf(account).map((user) => ({ ...user, role: 'member' }))
  const general = {
    account,
    type: 'general',
    visibility: 'public',
    scopes: ['user:read:user'],
    redirectUris: [callback],
    deviceFlow: true,
  }
  const apps = appNames.map((name) => ({
    ...{ name, ...general },
    ...(urlOf && { deauthorizationUrl: urlOf(name) }),
  }))
  const scopes = ['user:read:user:admin']
  const reporter = { name: 'Reporter', account, type: 'server-to-server', scopes }
  const file = join(await temporaryFolder(), 'declaration.json')
  const declaration = { accounts: [{ name: account, users }], apps: [...apps, reporter] }
  await writeFile(file, JSON.stringify(declaration))
  const applied: unknown = await operateJson({ url: databaseUrl }, 'apply', file)
  return applied as Applied
}

/** The browser of a user who was signed in before, at the server that runs now. */
export const browserOf = (server: Http, cookie: string): Session =>
  openSession({
    http: (path, init) => server.http(path, { ...init, headers: { ...init?.headers, cookie } }),
  })
