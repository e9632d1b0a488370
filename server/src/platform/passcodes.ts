import type { PlatformContext } from './context.ts'
import type { MeetingRecord } from './store/meetings.ts'

type Keyed = Pick<PlatformContext, 'encryption'>

/** A passcode is encrypted and no hash, because the API shows it to the host in `password` and the links. */
export const passcodeOf = (
  { encryption }: Keyed,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)
