/**
 * Colours of the two schemes; the reader's system chooses. Names say the part that a colour plays, so pages
 * never name a colour.
 */
const palettes = {
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

const variables = (palette: Record<string, string>) =>
  Object.entries(palette)
    .map(([name, colour]) => `  --${name}: ${colour};`)
    .join('\n')

/** The colours and fonts. */
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
