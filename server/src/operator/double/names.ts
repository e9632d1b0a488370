import type { Seeded } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import { findClient, type OAuthClient } from '../../store/oauth/clients.ts'
import { findUser, findUserByEmail, type UserRecord } from '../../store/platform/users.ts'

/** Names of the seeded apps and users. Others are known by their ids. */
export interface Names {
  /** Returns the id of an app, given by name, id or client id. Throws NOT_FOUND. */
  appId(ref: string): string
  /** Returns the id of a user, given by email or id. Throws NOT_FOUND. */
  userId(ref: string): string
  appName(id: string): string
  userEmail(id: string): string
  findUser(ref: string): Promise<UserRecord>
  /** Finds credentials: those of a client id, or of production. */
  findClient(ref: string): Promise<OAuthClient>
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export function createNames({ db }: Pick<Context, 'db'>, seeded: () => Seeded): Names {
  const appsOf = () => Object.entries(seeded().apps)
  const usersOf = () => Object.entries(seeded().users)
  const appNamed = (ref: string) =>
    appsOf().find(([name, { id, clientId, development }]) =>
      [name, id, clientId, development.clientId].includes(ref),
    )?.[1]
  const userNamed = (ref: string) =>
    usersOf().find(([email, { id }]) => [email, id].includes(ref))?.[1]
  const idOf = (ref: string, found: { id: string } | undefined, what: string) =>
    found?.id ?? (uuid.test(ref) ? ref : fail('NOT_FOUND', `The seed has no ${what} "${ref}".`))
  return {
    appId: (ref) => idOf(ref, appNamed(ref), 'app'),
    userId: (ref) => idOf(ref, userNamed(ref), 'user'),
    appName: (id) => appsOf().find(([, app]) => app.id === id)?.[0] ?? id,
    userEmail: (id) => usersOf().find(([, user]) => user.id === id)?.[0] ?? id,
    findUser: async (ref) =>
      (await findUser(db.read, userNamed(ref)?.id ?? ref)) ??
      (await findUserByEmail(db.read, ref)) ??
      fail('NOT_FOUND', `There is no user "${ref}".`),
    findClient: async (ref) =>
      (await findClient(db.read, ref)) ??
      (await findClient(db.read, appNamed(ref)?.clientId ?? '')) ??
      fail('NOT_FOUND', `There is no app "${ref}".`),
  }
}
