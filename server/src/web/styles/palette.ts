/** Colours of one scheme. Names say the part a colour plays, so pages never name a colour. */
export interface Palette {
  paper: string
  raised: string
  line: string
  edge: string
  ink: string
  muted: string
  link: string
  accent: string
  good: string
  bad: string
  button: string
  buttonInk: string
  cover: string
  coverInk: string
  coverMuted: string
  focus: string
}

/** The two schemes; the reader's system chooses. */
export const palettes: Record<'light' | 'dark', Palette> = {
  light: {
    paper: '#ffffff',
    raised: '#f4f5f7',
    line: '#dde0e5',
    edge: '#7b828e',
    ink: '#16181d',
    muted: '#565c67',
    link: '#1b4b94',
    accent: '#8a1c3c',
    good: '#1d6638',
    bad: '#a3271b',
    button: '#7d1836',
    buttonInk: '#ffffff',
    cover: '#4b0e22',
    coverInk: '#fdf3f5',
    coverMuted: '#e6bcc8',
    focus: '#1b4b94',
  },
  dark: {
    paper: '#131519',
    raised: '#1c1f25',
    line: '#31363f',
    edge: '#79818e',
    ink: '#e7e9ed',
    muted: '#a5acb8',
    link: '#8fbaf3',
    accent: '#f2a3b7',
    good: '#7fce9a',
    bad: '#f59a8d',
    button: '#a93455',
    buttonInk: '#ffffff',
    cover: '#2a0b16',
    coverInk: '#fdf3f5',
    coverMuted: '#dcb0bd',
    focus: '#8fbaf3',
  },
}

/** Which text stands on which ground; a test holds each pair to WCAG AA (4.5:1). */
export const textOnGround: [keyof Palette, keyof Palette][] = [
  ...(['ink', 'muted', 'link', 'accent', 'good', 'bad'] as const).flatMap(
    (text): [keyof Palette, keyof Palette][] => [
      [text, 'paper'],
      [text, 'raised'],
    ],
  ),
  ['buttonInk', 'button'],
  ['coverInk', 'cover'],
  ['coverMuted', 'cover'],
]

/** Outlines that a control is recognised by; WCAG asks 3:1 of them. */
export const edgeOnGround: [keyof Palette, keyof Palette][] = [
  ['edge', 'paper'],
  ['edge', 'raised'],
  ['focus', 'paper'],
  ['focus', 'raised'],
  ['coverInk', 'cover'],
]

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `  --${name}: ${colour};`)
    .join('\n')

export const paletteCss = `
:root {
  color-scheme: light dark;
${variables(palettes.light)}
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
:root {
${variables(palettes.dark)}
}
}
`
