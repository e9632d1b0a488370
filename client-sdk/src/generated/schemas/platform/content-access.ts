// Generated from the contract by `npm run generate`: change that, not this file.

/** What the app has access to. */
export interface ContentAccessReport {
  /** What the app has access to. */
  content_type: 'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'
}

/** That an app has access to content of a meeting. */
export interface ContentAccess {
  /** Ends it. For example `de300000-0000-4000-8000-000000000014`. */
  id: string
  /** Number of the meeting. */
  meeting_id: number
  /** What the app has access to. */
  content_type: 'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'
  /** The app, as its users see it. For example `Scheduler`. */
  app_name: string
  /** The account in which the app was allowed. For example `Acme`. */
  approved_by: string
  /** Since when: ISO 8601, UTC. */
  created_at: string
}

/** Which apps have access to a meeting right now. */
export interface AppIndicator {
  /** Whether a client of this version shows the indicator. Where not, the rest is empty. */
  supported: boolean
  /** Whether any app has access now. */
  active: boolean
  /** The icon, an SVG; null where nothing is active. */
  icon_url: string | null
  /** A line for each app, content type and account; null where nothing is active. */
  tooltip: string | null
  /** The same for programs, in the order of the lines. */
  apps: {
    /** The app, as its users see it. For example `Scheduler`. */
    app_name: string
    /** What the app has access to. */
    content_type: 'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'
    /** The account in which the app was allowed. For example `Acme`. */
    approved_by: string
  }[]
}
