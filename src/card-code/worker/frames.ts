// Stacks of the engine as V8 prints them.
import type { SourceFunction } from './functions.js'
import type { Program } from './program.js'
import type { Place } from './syntax.js'

/** One line of a stack of the engine. */
export interface Frame extends Place {
  name: string
  file: string
}

const framePattern = /^ {4}at (?:(.*?) \()?([^()\s]*?)(?::(\d+):(\d+))?\)?$/

/** The frames of a stack of the engine. */
export const framesOf = (stack: string): Frame[] =>
  stack.split('\n').flatMap((line) => {
    if (line.endsWith('(native)')) {
      return [{ name: line.slice(7, -9), file: 'native', line: 0, column: 0 }]
    }
    const found = framePattern.exec(line)
    if (found === null) return []
    return [
      { name: found[1] ?? '', file: found[2]!, line: Number(found[3] ?? 0), column: Number(found[4] ?? 0) },
    ]
  })

const named = (names: string, owner: string): [string, string][] =>
  names.split(' ').map((name) => [name, `${owner}.${name}`])

/** What V8 calls the built-in functions that call card code. */
const natives = new Map([
  ...named(
    'map filter forEach reduce reduceRight some every find findIndex findLast findLastIndex flatMap from sort toSorted',
    'Array',
  ),
  ...named('replace replaceAll', 'String'),
  ...named('parse stringify', 'JSON'),
  ['Promise', 'new Promise'] as const,
])

// V8 prints no frames for these.
const unseen = new Set(['call', 'apply'])

const isPrelude = ({ file }: Frame): boolean => file === 'prelude.js' || file === '<input>'

/**
 * The frames that V8 prints: a built-in that the prelude replaces is shown as that built-in, without its inner frames.
 */
const visible = (frames: readonly Frame[]): Frame[] =>
  frames.flatMap((frame, at): Frame[] => {
    if (frame.file === 'native') return unseen.has(frame.name) ? [] : [frame]
    if (!isPrelude(frame)) return [frame]
    const below = frames[at + 1]
    const isOutermost = below !== undefined && !isPrelude(below) && below.file !== 'native'
    return isOutermost && natives.has(frame.name) ? [{ ...frame, file: 'native' }] : []
  })

/** How V8 names the function of a frame; `caller` is the frame below it. */
const label = (frame: Frame, caller: Frame | undefined, program: Program): string => {
  const name = frame.name === '<eval>' || frame.name === '<anonymous>' ? '' : frame.name
  const fn = program.functions.at(program.written(frame))
  const call = caller?.file === 'main.js' ? program.call(program.written(caller)) : undefined
  const constructs = call?.constructs === true || (fn?.name !== name && program.functions.isClass(name))
  if (name !== '' && constructs) return `new ${name}`
  if (fn === undefined || (name !== '' && fn.name !== name)) return name
  const isAsyncAtBottom = fn.kind === 'property' && fn.isAsync && caller === undefined
  return labelOf(fn, name, call?.ofMember ?? isAsyncAtBottom)
}

const labelOf = (fn: SourceFunction, name: string, isMember: boolean): string => {
  if (fn.kind === 'constructor') return `new ${fn.name}`
  if (fn.kind === 'method') return owned(fn)
  const isPlain = fn.kind === 'property' || fn.kind === 'function'
  return isPlain && isMember && name !== '' ? `Object.${name}` : name
}

const owned = ({ owner, name }: SourceFunction): string =>
  owner === undefined || owner === '' || name === '' ? name : `${owner}.${name}`

const printed = (name: string, { line, column }: Place): string =>
  name === '' ? `main.js:${line}:${column}` : `${name} (main.js:${line}:${column})`

/** A raw stack as V8 prints it: the prelude's own frames are left out, and main.js has its places as written. */
export const printFrames = (
  stack: string,
  program: Program,
  { limit = 10, skip = 0 }: { limit?: number; skip?: number } = {},
): string => {
  const raw = framesOf(stack)
  const frames = visible(raw).slice(skip)
  const lines = frames.slice(0, limit).map((frame, at) => {
    if (frame.file === 'native') return natives.get(frame.name) ?? frame.name
    const place = program.v8(program.written(frame))
    if (frame.file !== 'main.js') return `${frame.name} (${frame.file}:${place.line}:${place.column})`
    return printed(label(frame, frames[at + 1], program), place)
  })
  const texts = lines.map((text, at) =>
    frames[at]!.file === 'native' ? `    at ${text} (<anonymous>)` : `    at ${text}`,
  )
  const last = raw.at(-1)
  if (last?.file === 'main.js')
    texts.push(...asyncCallers(program.functions.at(program.written(last)), program, limit - texts.length))
  return texts.map((text) => `\n${text}`).join('')
}

/**
 * The function that awaits the one at the bottom of a stack that continues after an await. The engine does not know;
 * when the source has only one possible place, it is that one.
 */
const asyncCallers = (bottom: SourceFunction | undefined, program: Program, limit: number): string[] => {
  const lines: string[] = []
  const seen = new Set<SourceFunction>()
  for (let fn = bottom; fn?.isAsync === true && fn.name !== '' && !seen.has(fn) && lines.length < limit;) {
    seen.add(fn)
    const awaits = program.functions.awaits(fn)
    if ('places' in awaits) {
      if (awaits.places > 1)
        lines.push(
          `    at async <one of ${awaits.places} awaits of ${fn.name}: the sandbox cannot tell which>`,
        )
      break
    }
    const { place, by }: { place: Place; by: SourceFunction | undefined } = awaits.only
    lines.push(`    at async ${printed(by === undefined ? '' : owned(by), place)}`)
    fn = by
  }
  return lines
}
