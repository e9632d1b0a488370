import type { PlatformContext } from './context.ts'
import type { MeetingRecord } from './store/meetings.ts'

type Keyed = Pick<PlatformContext, 'encryption'>

/** Decrypts a passcode, which the API returns to the host and therefore cannot be a hash. */
export const passcodeOf = (
  { encryption }: Keyed,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)
