// Generated from the contract by `npm run generate`: change that, not this file.

/** A page of the users of an account. */
export interface UserPage {
  /** As asked for. */
  page_size: number
  /** Asks for the next page; empty on the last. */
  next_page_token: string
  /** On all pages together. */
  total_records: number
  /** The users of this page. */
  users: ListedUser[]
}

/** A user in a list of users. */
export interface ListedUser extends CreatedUser {
  /** Its account. For example `de300000-0000-4000-8000-000000000010`. */
  account_id: string
  /** Name of its account. For example `Acme`. */
  account_name: string
  /** As others see it: the two names where nothing else was set. For example `Olga Owner`. */
  display_name: string
  /** What the user may do in the account. */
  role_name: 'Owner' | 'Admin' | 'Member'
  /**
   * `pending`: nobody has proven the email yet; `inactive`: the operator has disabled the user.
   * Neither can sign in. Removed users are not found.
   */
  status: 'active' | 'inactive' | 'pending'
  /** Number of the personal meeting. 1,000,000,000 to 9,999,999,999. */
  pmi: number
  /** An IANA time zone. For example `Europe/Berlin`. */
  timezone: string
  /** A BCP 47 language tag. For example `en-US`. */
  language: string
  /** Department. For example `Sales`. */
  dept: string
  /** Company. For example `Acme Ltd`. */
  company: string
  /** Job title. For example `Head of Sales`. */
  job_title: string
  /** Where the user works. For example `Berlin`. */
  location: string
  /** Empty: users have no pictures here. */
  pic_url: string
  /**
   * 1: the email is proven, by the operator or because its domain is the account’s. Trust no email
   * of a user with 0.
   */
  verified: 0 | 1
  /** ISO 8601, UTC. */
  created_at: string
  /** When the user last signed in. */
  last_login_time: string | null
}

/** A user to add to an account. */
export interface NewUser {
  /** All alike add the user; no mail is sent. */
  action: 'create' | 'autoCreate' | 'custCreate' | 'ssoCreate'
  /** The user, who is a member of the account. Fields that are not listed here are ignored. */
  user_info: {
    /** Signs in with it. At most 254 characters. For example `nina@acme.test`. */
    email: string
    /** Given name. At most 64 characters. For example `Olga`. */
    first_name?: string | undefined
    /** Family name. At most 64 characters. For example `Owner`. */
    last_name?: string | undefined
    /** As others see it; empty for the two names. At most 128 characters. For example `Olga O.`. */
    display_name?: string | undefined
    /** 1 is a basic user, 2 a licensed one. */
    type?: 1 | 2 | undefined
    /**
     * At least 8 characters, 5 of them different, and not the email. Without one, the user cannot
     * sign in until the operator sets it (`skillpass-server apply`). 8 to 200 characters. For
     * example `correct horse battery`.
     */
    password?: string | undefined
  }
  /**
   * The own account, or with a master scope a sub-account. By default the own. At most 64
   * characters. For example `de300000-0000-4000-8000-000000000010`.
   */
  account_id?: string | undefined
}

/** A user who has been added to an account. */
export interface CreatedUser {
  /** The id. For example `de300000-0000-4000-8000-000000000011`. */
  id: string
  /** Signs in with it. For example `owner@acme.test`. */
  email: string
  /** Given name. For example `Olga`. */
  first_name: string
  /** Family name. For example `Owner`. */
  last_name: string
  /** 1 is a basic user, 2 a licensed one. */
  type: 1 | 2
}

/** A user of an account. */
export interface User extends ListedUser {
  /**
   * Leads into the personal meeting; with its password for the user alone. For example
   * `https://auth.example.com/meetings/4812345678?pwd=a1B2c3`.
   */
  personal_meeting_url: string
}

/** Changes to the profile of a user. */
export interface ProfileChanges {
  /** Given name. At most 64 characters. For example `Olga`. */
  first_name?: string | undefined
  /** Family name. At most 64 characters. For example `Owner`. */
  last_name?: string | undefined
  /** As others see it; empty for the two names. At most 128 characters. For example `Olga O.`. */
  display_name?: string | undefined
  /** An IANA time zone. For example `Europe/Berlin`. */
  timezone?: string | undefined
  /** A BCP 47 language tag. At most 128 characters. For example `en-US`. */
  language?: string | undefined
  /** Department. At most 128 characters. For example `Sales`. */
  dept?: string | undefined
  /** Company. At most 128 characters. For example `Acme Ltd`. */
  company?: string | undefined
  /** Job title. At most 128 characters. For example `Head of Sales`. */
  job_title?: string | undefined
  /** Where the user works. At most 128 characters. For example `Berlin`. */
  location?: string | undefined
}
