import { isAppNamed } from '../apps/store/apps.ts'
import type { Db } from '../db/open.ts'
import { isReservedTitle, reservedNameMessage, titleSkeleton } from '../names/reserved.ts'
import { wordSkeletons } from '../names/skeleton.ts'

/** Account of all apps that nobody registered at the console. It has no users. */
export const unverifiedAccount = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'an unverified developer',
}

/** Returns the problem with a name that a client gives itself, or undefined. */
export async function findNameIssue(db: Db, name: string): Promise<string | undefined> {
  const isVisible = /[\p{L}\p{N}]/u.test(name) && wordSkeletons(name).length > 0
  if (!isVisible) return 'must have a letter or a digit'
  if (isReservedTitle(name)) return reservedNameMessage
  // A skeleton leaves out words in brackets, which a page shows.
  for (const title of [name, ...name.split(/[()[\]{}]/)]) {
    if (await isAppNamed(db, titleSkeleton(title), unverifiedAccount.id))
      return 'looks like the name of a registered app: choose another one'
  }
  return undefined
}
