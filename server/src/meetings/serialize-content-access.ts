import type { AppIndicator, ContentAccess } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import type {
  ActiveAccess,
  ContentAccessRecord,
  ContentType,
} from '../store/platform/content-access.ts'
import { toSnake } from '../text/case.ts'

export const serializeContentAccess = (
  access: ContentAccessRecord,
): z.output<typeof ContentAccess> => ({
  ...toSnake(access, ['id', 'meetingId', 'contentType', 'appName', 'approvedBy']),
  created_at: isoTime(access.createdAt),
})

export const indicatorIconPath = '/assets/app-indicator.svg'

/** Serializes the indicator. `accesses` is undefined if the client does not support it. */
export function serializeIndicator(
  { config }: Context,
  accesses: readonly ActiveAccess[] | undefined,
): z.output<typeof AppIndicator> {
  const shown = accesses ?? []
  const active = shown.length > 0
  return {
    supported: accesses !== undefined,
    active,
    icon_url: active ? config.authUrl + indicatorIconPath : null,
    tooltip: active ? shown.map(sentenceOf).join('\n') : null,
    apps: shown.map((one) => toSnake(one, ['appName', 'contentType', 'approvedBy'])),
  }
}

export const contentNames: Record<ContentType, string> = {
  audio: 'audio',
  video: 'video',
  chat: 'chat',
  transcript: 'the transcript',
  screen_share: 'the screen share',
}

/** A line of the tooltip (spec/oauth.md#in-meeting-indicator). */
const sentenceOf = ({ appName, contentType, approvedBy }: ActiveAccess): string =>
  `${oneLine(appName)} has access to ${contentNames[contentType]}. Approved by ${oneLine(approvedBy)}.`

/** Removes line breaks, so that a name cannot imitate a line of the tooltip. */
const oneLine = (name: string) => name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
