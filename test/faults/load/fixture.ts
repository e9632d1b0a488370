import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/testing'
import { credentialsOf, generalApp, password, serverApp } from '../../support/apps.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operateJson } from '../../support/commands.ts'
import { type App, type Http, serverAt } from '../../support/oauth-client.ts'
import { openSession, type Session, signIn } from '../../support/people.ts'

export interface LoadApp extends App {
  readonly id: string
  readonly name: string
  readonly secretToken: string
}

/** Content of a database before the token load starts. It survives restarts of the server. */
export interface LoadFixture {
  accountId: string
  /** Apps for the authorization code and device grants. */
  apps: LoadApp[]
  /** The server-to-server app. */
  reporter: LoadApp
  /** Ids of the users, and cookie headers of their sessions. */
  userIds: string[]
  cookies: string[]
}

const usersOf = (account: string) =>
  ['ann', 'ben'].map((name) => ({ email: `${name}@${account.toLowerCase()}.test`, password }))
const appNames = Array.from({ length: 8 }, (_, i) => `App ${i + 1}`)

/**
 * Declares an account with users and apps, and signs the users in once, because hashing is slow.
 * Loads that run in parallel need separate accounts, because they remove apps of their users.
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
  const users = usersOf(account)
  const apps = appNames.map((name) =>
    generalApp(name, ['user:read:user'], {
      account,
      deviceFlow: true,
      ...(urlOf && { deauthorizationUrl: urlOf(name) }),
    }),
  )
  const reporter = serverApp('Reporter', ['user:read:user:admin'], account)
  const file = join(await temporaryFolder(), 'declaration.json')
  const declaration = { accounts: [{ name: account, users }], apps: [...apps, reporter] }
  await writeFile(file, JSON.stringify(declaration))
  const applied: unknown = await operateJson({ url: databaseUrl }, 'apply', file)
  return applied as Applied
}

/** Returns the browser of a user with an existing session at the current server. */
export const browserOf = (server: Http, cookie: string): Session =>
  openSession({
    http: (path, init) => server.http(path, { ...init, headers: { ...init?.headers, cookie } }),
  })
