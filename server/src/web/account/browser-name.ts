/** Names of browsers and systems with their marks in a User-Agent, most specific first. */
const marks = {
  browsers: 'Edge=Edg,Opera=OPR,Firefox=Firefox,Firefox=FxiOS,Chrome=Chrom,Chrome=CriOS,Safari',
  systems: 'Android,iOS=iPhone,iOS=iPad,Windows,macOS=Mac OS X,Linux',
}

/** Names the browser and the system of a User-Agent header, such as "Firefox on Linux". */
export const browserName = (agent = ''): string =>
  [marks.browsers, marks.systems]
    .flatMap((list) => {
      const pairs = list.split(',').map((pair) => pair.split('='))
      return pairs.find(([name = '', mark = name]) => agent.includes(mark))?.[0] ?? []
    })
    .join(' on ')
