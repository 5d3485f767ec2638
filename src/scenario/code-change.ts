// A scenario whose code files have changed since it was read.

import { join, resolve } from 'node:path'
import type { Scenario } from './builder.js'
import { readCodeFile } from './other-files.js'

/** The absolute paths of the files that hold the code of a scenario's cards. */
export const codePaths = ({ codeFiles = [] }: Scenario): string[] =>
  codeFiles.map(({ folder, name }) => resolve(join(folder, name)))

/** The current contents of the code files of a scenario. */
export interface CodeChange {
  /** The cards whose code differs from that of the scenario. */
  readonly cards: readonly { readonly cardKey: string; readonly file: string; readonly code: string }[]
  /** A sentence for each file that cannot be read; its card keeps its code. */
  readonly faults: readonly string[]
}

/** Reads the code files again. */
export function codeChange(scenario: Scenario): CodeChange {
  const before = new Map(scenario.opening.cards.map(({ cardKey, code }) => [cardKey, code]))
  const cards: { cardKey: string; file: string; code: string }[] = []
  const faults: string[] = []
  for (const each of scenario.codeFiles ?? []) {
    const read = readCodeFile(each)
    const { cardKey, name: file } = each
    if ('fault' in read) faults.push(`${file} ${read.fault}; card ${cardKey} keeps its code`)
    else if (read.code !== before.get(cardKey)) cards.push({ cardKey, file, code: read.code })
  }
  return { cards, faults }
}

/** The same scenario with the changed code, also for exports and resets. */
export function withCode(scenario: Scenario, { cards }: CodeChange): Scenario {
  const codes = new Map(cards.map(({ cardKey, code }) => [cardKey, code]))
  const recoded = <C extends { readonly cardKey: string }>(card: C): C =>
    codes.has(card.cardKey) ? { ...card, code: codes.get(card.cardKey) } : card
  const { source, opening } = scenario
  return {
    ...scenario,
    source: source && { ...source, ...(source.cards && { cards: source.cards.map(recoded) }) },
    opening: { ...opening, cards: opening.cards.map(recoded) },
  }
}
