/** Whether an address is a page of the authorization service for people. */
export const isAccountPath = (path: string): boolean =>
  /^\/(my|console|meetings|sign-in|sign-out|oauth_device|oauth\/(authorize|consent|device|approval))(\/|$)/i.test(
    path,
  )
