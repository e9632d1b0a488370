import type { Sealed } from '../secrets/encryption.ts'
import type { PlatformContext } from './context.ts'
import type { MeetingRecord } from './store/meetings.ts'

type Keyed = Pick<PlatformContext, 'encryption'>

/**
 * A passcode as it is stored with its meeting: encrypted and no hash, because the API shows it again to
 * the host, in `password`, `join_url` and `start_url`.
 */
export const sealPasscode = ({ encryption }: Keyed, uuid: string, passcode: string): Sealed =>
  encryption.seal('passcode', uuid, passcode)

export const passcodeOf = (
  { encryption }: Keyed,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)
