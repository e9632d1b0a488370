import type { Seeded } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'

/** Names of the seeded apps and users. Others are known by their ids. */
export type Names = ReturnType<typeof createNames>

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export function createNames(seeded: () => Seeded) {
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
    /** Returns the id of an app, given by name, id or client id. Throws NOT_FOUND. */
    appId: (ref: string) => idOf(ref, appNamed(ref), 'app'),
    /** Returns the id of a user, given by email or id. Throws NOT_FOUND. */
    userId: (ref: string) => idOf(ref, userNamed(ref), 'user'),
    appName: (id: string) => appsOf().find(([, app]) => app.id === id)?.[0] ?? id,
    userEmail: (id: string) => usersOf().find(([, user]) => user.id === id)?.[0] ?? id,
    /** Returns a client id: the given one, or that of production of an app. */
    clientId: (ref: string) => {
      const app = appNamed(ref)
      return app && app.development.clientId !== ref ? app.clientId : ref
    },
  }
}
