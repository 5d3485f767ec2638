// Colours on a terminal, and when there are none.

import type { Environment } from './room-commands.js'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const
export type Colour = keyof typeof codes

/** Writes a text in a colour, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

/**
 * Whether output is coloured: FORCE_COLOR (anything but 0) before NO_COLOR (anything) before whether it goes to a
 * terminal that has colours.
 */
export function isColoured({ FORCE_COLOR, NO_COLOR, TERM }: Environment, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  return isTerminal && TERM !== 'dumb'
}

/** A painter for output that is coloured, or for output that is not. */
export const painter = (coloured: boolean): Paint =>
  coloured ? (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m` : (_colour, text) => text
