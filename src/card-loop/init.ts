// `card init`: a card with tests, from one of four templates.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { choiceOf, type Arguments } from './arguments.js'
import { LoopError } from './loop-error.js'
import type { Output } from './output.js'
import { type TemplateName, templateNames, templates } from './templates.js'

/** Runs the command; returns the exit code. Rejects with a {@link LoopError}. */
export function init({ operands, flags }: Arguments, { print, directory }: Output): Promise<number> {
  const name = choiceOf(flags, 'template', templateNames) ?? 'petrol'
  const [named = '.'] = operands
  const into = resolve(directory, named)
  const files = Object.entries(filesOf(name, into))
  const taken = existsSync(into)
    ? readdirSync(into).filter((file) => files.some(([each]) => each === file))
    : []
  // Existing files are never overwritten.
  if (taken.length > 0)
    throw new LoopError(
      `${named === '.' ? 'This directory' : named} has ${taken.join(', ')} already; name another one: card init DIR.`,
    )
  mkdirSync(into, { recursive: true })
  for (const [file, text] of files) writeFileSync(join(into, file), text)
  print(`Wrote ${files.map(([file]) => file).join(', ')}.`)
  print(`Next: ${named === '.' ? '' : `cd ${named} && `}npx sandbox-server card test`)
  return Promise.resolve(0)
}

const schemaFile = 'node_modules/sandbox-server/scenarios/card-test.schema.json'

/** The comment that gives editors the schema of a test file in a folder; nothing where the package is not installed. */
function schemaLine(folder: string): string {
  for (let above = folder; ; above = dirname(above)) {
    const file = join(above, schemaFile)
    if (existsSync(file)) {
      const path = relative(folder, file).split(sep).join('/')
      return `# yaml-language-server: $schema=${path.startsWith('.') ? '' : './'}${path}\n`
    }
    if (above === dirname(above)) return ''
  }
}

/** The project file for editors: card code is a script of Node 20, with its own globals. */
export const jsConfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    types: ['sandbox-server/card-globals'],
    checkJs: true,
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'legacy',
  },
  include: ['main.js'],
} as const

/** The files of a template, for a folder. */
function filesOf(name: TemplateName, folder: string): Record<string, string> {
  const { about, code, variables, cases } = templates[name]
  return {
    'main.js': `// @ts-check\n${code}`,
    'env.json': `${JSON.stringify(variables, null, 2)}\n`,
    'card.test.yaml': schemaLine(folder) + cases,
    'jsconfig.json': `${JSON.stringify(jsConfig, null, 2)}\n`,
    'README.md': [
      `# ${about}`,
      '',
      '- `main.js` is the code of the card, `env.json` its variables, `card.test.yaml` its tests.',
      '- With `sandbox-server` installed in the project, the editor has the types and the schema.',
      '- `npx sandbox-server card test` runs the tests; `card watch` after each edit.',
      '- `npx sandbox-server card run main.js --rand 600 --mcc 5812` puts one purchase to it.',
      '- `npx sandbox-server card lint` finds mistakes without running it.',
      '- `npx sandbox-server card backtest main.js` puts a year of purchases to it.',
      '- In the code `return true` approves, and so does an error.',
      '',
    ].join('\n'),
  }
}
