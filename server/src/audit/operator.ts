import { userInfo } from 'node:os'
import type { Context } from '../context/context.ts'
import type { Party } from './record.ts'

export type OperatorContext = Pick<Context, 'clock' | 'db' | 'random' | 'network'>

/** Returns the operating system user who runs the command. */
export function currentOperator(): Party {
  try {
    return { kind: 'operator', id: userInfo().username }
  } catch {
    // In a container the user may have no name.
    return { kind: 'operator', id: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}
