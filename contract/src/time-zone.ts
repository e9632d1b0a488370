import { z } from 'zod'

/**
 * Abbreviations that JavaScript accepts although the database does not have them. Some are
 * ambiguous.
 */
const unofficialNames =
  /^(ac|ae|ag|ar|as|be|bs|ca|cn|cs|ct|ea|ec|ie|is|js|mi|ne|ns|pl|pn|pr|ps|ss|vs)t$/i

/** Whether the IANA time zone database has a name. Ignores case. */
export function isTimeZone(name: string): boolean {
  // Reject offsets such as +01:00, which JavaScript accepts but which have no daylight saving time.
  if (!/^[a-z][a-z0-9_+/-]{1,59}$/i.test(name) || unofficialNames.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const TimeZone = z
  .string()
  .refine(isTimeZone, 'must be a name from the IANA time zone database such as Europe/Berlin')
