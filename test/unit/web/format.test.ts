import { bytes, duration } from '@skillpass/server/web/ui/format'
import { expect, test } from 'vitest'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [1_319_526, '1.3 MiB'],
])('%d bytes are shown as %s', (size, shown) => {
  expect(bytes(size)).toBe(shown)
})

test.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [121, '3 minutes'],
  [900, '15 minutes'],
])('a wait of %d seconds is shown as %s', (seconds, shown) => {
  expect(duration(seconds)).toBe(shown)
})
