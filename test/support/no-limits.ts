/** Switches off every rate limit, quota, bound of keys and refusal under load, so that tests meet only those they set. */
export const noLimits = {
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '0',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '0',
  QUOTA_SKILLS_PER_DAY: '0',
  QUOTA_VERSIONS_PER_DAY: '0',
  QUOTA_BYTES_PER_DAY: '0',
  QUOTA_NEW_WORDS_PER_DAY: '0',
  QUOTA_REPORTS_PER_DAY: '0',
  MAX_API_KEYS_PER_AGENT: '0',
  ADMISSION_CONTROL: 'off',
}
