const named = (length: number, make: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length }, (_, index) => make(index)))

/** Bodies of about a megabyte that no route accepts, with many errors or long ones. */
export const nonsense: Record<string, unknown> = {
  '90,000 unknown fields': named(90_000, (i) => [`k${i}`, 0]),
  '20 unknown fields of 45,000 characters': named(20, (i) => [`${i}${'😀'.repeat(11_000)}`, 0]),
  'a long list of numbers': { name: Array(480_000).fill(1), tags: [], topic: [], content: [] },
  'numbers in place of scopes': { production: { scopes: Array(480_000).fill(1) } },
  'numbers in place of tags': { tags: Array(480_000).fill(1) },
  'one list': Array(480_000).fill(1),
}
