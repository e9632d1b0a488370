import type { PlatformContext } from './context.ts'
import type { MeetingRecord } from './store/meetings.ts'

type Keyed = Pick<PlatformContext, 'encryption'>

/** Decrypts a passcode. It is not hashed, because the API returns it to the host. */
export const passcodeOf = (
  { encryption }: Keyed,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)
