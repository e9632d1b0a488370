import type { PlatformContext } from './context.ts'

/** Path of a meeting's page. */
export const meetingPath = (id: number): string => `/meetings/${id}`

/** Where participants join a meeting; with its password, where they need not know it. */
export const joinUrl = (
  { authUrl }: Pick<PlatformContext['config'], 'authUrl'>,
  id: number,
  password?: string | null,
): string => `${authUrl}${meetingPath(id)}${password ? `?pwd=${encodeURIComponent(password)}` : ''}`
