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
  goodGround: string
  warn: string
  warnGround: string
  bad: string
  badGround: string
  button: string
  buttonInk: string
  focus: string
}

/** The two schemes; the reader's system chooses. */
export const palettes: Record<'light' | 'dark', Palette> = {
  light: {
    paper: '#ffffff',
    raised: '#f6f7f9',
    line: '#e3e6eb',
    edge: '#7b828e',
    ink: '#14171c',
    muted: '#5b6472',
    link: '#3a4fd8',
    accent: '#3a4fd8',
    good: '#14734a',
    goodGround: '#e7f5ee',
    warn: '#8a5a00',
    warnGround: '#fdf3df',
    bad: '#b3261e',
    badGround: '#fdecea',
    button: '#3a4fd8',
    buttonInk: '#ffffff',
    focus: '#3a4fd8',
  },
  dark: {
    paper: '#101317',
    raised: '#181c22',
    line: '#2a3038',
    edge: '#79818e',
    ink: '#eceff4',
    muted: '#9aa4b2',
    link: '#8c9bff',
    accent: '#8c9bff',
    good: '#5fd09b',
    goodGround: '#12281d',
    warn: '#f0bf5a',
    warnGround: '#2b2313',
    bad: '#ff8a80',
    badGround: '#331715',
    button: '#8c9bff',
    buttonInk: '#0d1024',
    focus: '#8c9bff',
  },
}

/** Which text stands on which ground; a test holds each pair to WCAG AA (4.5:1). */
export const textOnGround: [keyof Palette, keyof Palette][] = [
  ...(['ink', 'muted', 'link', 'accent', 'good', 'warn', 'bad'] as const).flatMap(
    (text): [keyof Palette, keyof Palette][] => [
      [text, 'paper'],
      [text, 'raised'],
    ],
  ),
  // What a finding of the lint says, and its links, stand on the ground of its verdict.
  ...(['ink', 'link'] as const).flatMap((text): [keyof Palette, keyof Palette][] => [
    [text, 'warnGround'],
    [text, 'badGround'],
  ]),
  ['buttonInk', 'button'],
  ['good', 'goodGround'],
  ['warn', 'warnGround'],
  ['bad', 'badGround'],
]

/** Outlines that a control is recognised by; WCAG asks 3:1 of them. */
export const edgeOnGround: [keyof Palette, keyof Palette][] = [
  ['edge', 'paper'],
  ['edge', 'raised'],
  ['focus', 'paper'],
  ['focus', 'raised'],
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
