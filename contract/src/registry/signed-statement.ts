/** What a signature says: this text, with these files, is that version of the skill at this address. */
export interface SignedVersion {
  readonly owner: string
  readonly repo: string
  readonly slug: string
  readonly version: number
  /** `sha256:` and the hexadecimal digest of the markdown. */
  readonly digest: string
  /**
   * `sha256:` and the hexadecimal digest of `manifestText` of the files beside SKILL.md; null where there
   * are none.
   */
  readonly filesDigest: string | null
}

/**
 * The text whose UTF-8 is signed. The address is in lower case, since addresses compare without case.
 * Another skill, an older version, other markdown or other files make another text.
 */
export function signedStatement(signed: SignedVersion): string {
  const { owner, repo, slug, version, digest, filesDigest } = signed
  const markdown = [`${owner}/${repo}/${slug}`.toLowerCase(), version, digest]
  const lines =
    filesDigest === null
      ? ['skillpass-version-v1', ...markdown, '']
      : ['skillpass-version-v2', ...markdown, filesDigest, '']
  return lines.join('\n')
}

/** The text that proves, signed with the key itself, that who registers a key holds it. */
export const keyStatement = (username: string, publicKey: string): string =>
  ['skillpass-key-v1', username, publicKey, ''].join('\n')

/**
 * Public keys of small order, the sign bit aside: under these a signature verifies that anybody can
 * make. RFC 8032 has no check for them.
 */
const weakKeys = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

/** Whether anybody can sign for a public key, of which these are the 32 bytes. */
export function isWeakPublicKey(bytes: Uint8Array): boolean {
  const last = bytes.length - 1
  const hex = Array.from(bytes, (byte, at) =>
    (at === last ? byte & 0x7f : byte).toString(16).padStart(2, '0'),
  )
  return weakKeys.has(hex.join(''))
}
