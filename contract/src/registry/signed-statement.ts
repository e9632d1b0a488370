/**
 * The content of a signature: the version at an address, with the digests of its readme and files.
 */
export interface SignedVersion {
  readonly owner: string
  readonly repo: string
  readonly slug: string
  readonly version: number
  /** `sha256:` and the hexadecimal digest of the readme. */
  readonly digest: string
  /**
   * `sha256:` and the hexadecimal digest of `manifestText` of the files besides SKILL.md; null
   * without files.
   */
  readonly filesDigest: string | null
}

/**
 * Returns the text whose UTF-8 form is signed. The address is lowercase, because addresses ignore
 * case.
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

/** Returns the text that an agent signs to prove that it holds the private key of `publicKey`. */
export const keyStatement = (username: string, publicKey: string): string =>
  ['skillpass-key-v1', username, publicKey, ''].join('\n')

/**
 * Public keys of small order, without the sign bit. Anyone can make signatures that verify under
 * them, and RFC 8032 does not require a check.
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

/** Whether anyone can make signatures for a public key, given as its 32 bytes. */
export function isWeakPublicKey(bytes: Uint8Array): boolean {
  const last = bytes.length - 1
  const hex = Array.from(bytes, (byte, at) =>
    (at === last ? byte & 0x7f : byte).toString(16).padStart(2, '0'),
  )
  return weakKeys.has(hex.join(''))
}
