import { z } from 'zod'

/** Names of three letters that JavaScript knows beyond those of the database; some are ambiguous. */
const notOfTheDatabase =
  /^(ac|ae|ag|ar|as|be|bs|ca|cn|cs|ct|ea|ec|ie|is|js|mi|ne|ns|pl|pn|pr|ps|ss|vs)t$/i

/** Whether this is a name of the IANA time zone database, which compares without case. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are no names: they do not follow a place's clocks over the year.
  if (!/^[a-z][a-z0-9_+/-]{1,59}$/i.test(name) || notOfTheDatabase.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A time zone by its name. */
export const TimeZone = z
  .string()
  .refine(isTimeZone, 'must be a name of the IANA time zone database, as Europe/Berlin')
