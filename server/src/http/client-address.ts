/**
 * The address that a client is counted by. IPv6 counts by /56, since one customer holds at least
 * that much; an IPv4 address mapped into IPv6 counts as itself.
 */
export function clientAddress(req: { ip?: string | undefined }): string {
  return addressKey(req.ip ?? 'unknown')
}

/** Folds an address into the network it is counted by. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  const [a, b, c, d] = groups.map((group) => Number.parseInt(group, 16))
  // The fourth group's upper byte ends the 56 bits.
  const hex = (value: number | undefined) => (value ?? 0).toString(16)
  return `${hex(a)}:${hex(b)}:${hex(c)}:${hex((d ?? 0) & 0xff00)}::/56`
}
