const paths = {
  star: 'M8 1.2l2 4.3 4.7.6-3.5 3.2.9 4.7L8 11.7 3.9 14l.9-4.7L1.3 6.100l4.7-.6Z',
  fetch:
    'M7.200 1.500h1.600v6.700l2.600-2.600 1.100 1.100L8 11.200 3.500 6.700l1.100-1.100 2.600 2.600ZM2 13h12v1.600H2Z',
  warn: 'M8 1.200 15.400 14.400H.600ZM7.200 6v4.200h1.600V6ZM7.200 11.400V13h1.600v-1.600Z',
  yes: 'M6.300 12.400 2.200 8.300l1.200-1.200 2.900 2.900 6.300-6.300 1.200 1.200Z',
  no: 'M3.900 2.800 8 6.900l4.100-4.100 1.100 1.100L9.100 8l4.100 4.100-1.100 1.100L8 9.100l-4.100 4.100-1.100-1.100L6.900 8 2.800 3.900Z',
}

/** A decorative icon, hidden from screen readers. */
export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
