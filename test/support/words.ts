/** The words of a text, whatever space parts them: for lists of tokens that hold none. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Texts parted by a broken bar, for lists of short ones that may hold space. */
export const parted = (...lines: string[]): string[] => lines.flatMap((line) => line.split('¦'))
