import type { PlatformContext } from './context.ts'

export const meetingPath = (id: number): string => `/meetings/${id}`

export const joinUrl = (
  { authUrl }: Pick<PlatformContext['config'], 'authUrl'>,
  id: number,
  password?: string | null,
): string => `${authUrl}${meetingPath(id)}${password ? `?pwd=${encodeURIComponent(password)}` : ''}`
