import { userInfo } from 'node:os'
import type { Context } from '../context/context.ts'
import type { Party } from './record.ts'

/** What a command of the operator works with. */
export type Operating = Pick<Context, 'clock' | 'db' | 'random' | 'network'>

/** The user of this machine who runs a command. */
export function currentOperator(): Party {
  try {
    return { kind: 'operator', id: userInfo().username }
  } catch {
    // A container's user may have no name.
    return { kind: 'operator', id: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}
