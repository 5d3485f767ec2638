// The log for people: one line for each entry, and its explanation below.

import { amount, grouped } from '../card-loop/amounts.js'
import { mainName } from '../workspace/clients.js'
import type { Colour, Paint } from './colours.js'
import type { CardEntry, ExecutionEntry, HookEntry, LogEntry, NoteEntry, RequestEntry } from './log-entry.js'
import { printable } from './printable.js'

/** How the log is printed. */
export interface LogStyle {
  readonly paint: Paint
  /** The columns of the terminal, to which lines are shortened; undefined when the output is not a terminal. */
  readonly width?: number | undefined
  /** Prints whole addresses, all warnings, bodies, and hooks without output. */
  readonly isVerbose: boolean
}

/** Wider terminals leave the status too far from the path. */
const maxWidth = 120
const minWidth = 40
const indent = ' '.repeat(10)
/** The most characters of a foreign text, and the most warnings of one request, unless the log is verbose. */
const maxText = 600
const maxWarnings = 3

/** An entry as lines; empty when there is nothing to say. */
export function textOf(entry: LogEntry, style: LogStyle): string {
  switch (entry.event) {
    case 'request':
      return requestText(entry, style)
    case 'card':
      return cardText(entry, style)
    case 'execution':
      return executionText(entry, style)
    case 'clock':
    case 'reset':
    case 'code':
    case 'lost':
    case 'connection':
      return noteText(entry, style)
  }
}

function requestText(entry: RequestEntry, style: LogStyle): string {
  const { paint, isVerbose } = style
  const { method, path, status, ms, fault, problem, warnings = [] } = entry
  const head = headOf(entry, style)
  const end = [status ?? '---', milliseconds(ms).padStart(style.width === undefined ? 0 : 8)].join('  ')
  const verb = style.width === undefined ? `${oneLine(method, 20)}  ` : `${oneLine(method, 20).padEnd(6)} `
  const room = widthOf(style) - head.length - verb.length - end.length - 2
  const shown = addressOf(path, room, style)
  const line = `${verb}${shown}  ${paint(colourOf(status), end)}`
  const more = warnings.length - maxWarnings
  const notes = [
    ...(fault === undefined
      ? []
      : [below(`fault ${fault} struck${status === null ? ': no answer was sent' : ''}`, style, 'magenta')]),
    ...(problem ? [below(`${problem.code}: ${problem.detail}`, style, colourOf(status))] : []),
    ...warnings
      .slice(0, isVerbose ? undefined : maxWarnings)
      .map(({ code, path: at, message }) => below(`warning ${code}: ${at} ${message}`, style, 'yellow')),
    ...(more > 0 && !isVerbose ? [below(`and ${more} more warnings; --verbose lists them`, style)] : []),
    ...(entry.sent ? [below(`> ${entry.sent}`, style, 'dim')] : []),
    ...(entry.answered ? [below(`< ${entry.answered}`, style, 'dim')] : []),
  ]
  return [paint('dim', head) + line, ...notes].join('\n')
}

function cardText(entry: CardEntry, style: LogStyle): string {
  const { cardKey, centsAmount, currencyCode, merchantCategory, outcome, isDeclined, hooks, merchant } = entry
  const [decider] = hooks
  const parts = [
    `card ${oneLine(cardKey, 20)}`,
    amount(centsAmount, oneLine(currencyCode, 3)),
    oneLine(merchantCategory, 4),
    ...(style.isVerbose ? [oneLine(merchant, 60)] : []),
    style.paint(isDeclined ? 'yellow' : 'green', oneLine(outcome, 40)),
    ...(decider ? [milliseconds(decider.ms)] : []),
  ]
  return [lineOf(entry, parts, style), ...hooks.flatMap((hook) => happenings(hook, style))].join('\n')
}

function executionText(entry: ExecutionEntry, style: LogStyle): string {
  const { cardKey, hook, isSimulation, approved, ms, error, logs } = entry
  if (!isSimulation && !style.isVerbose && error === null && logs.length === 0) return ''
  const parts = [
    `card ${oneLine(cardKey, 20)}`,
    ...(isSimulation ? ['simulation'] : []),
    oneLine(hook, 40),
    ...(approved === null ? [] : [approved ? style.paint('green', 'true') : style.paint('yellow', 'false')]),
    milliseconds(ms),
  ]
  return [lineOf(entry, parts, style), ...happenings(entry, style)].join('\n')
}

/** What a hook wrote, and what went wrong with it. */
function happenings({ logs, moreLogs, error }: HookEntry, style: LogStyle): string[] {
  return [
    ...logs.map(({ level, content }) =>
      below(
        level === 'info' || level === 'log' ? content : `${level}: ${content}`,
        style,
        level === 'error' ? 'red' : undefined,
      ),
    ),
    ...(moreLogs > 0
      ? [below(`and ${moreLogs} more lines; the executions of the card have them`, style)]
      : []),
    ...(error
      ? [
          below(
            `${error.code}${error.line === null ? '' : ` in line ${error.line}`}: ${error.message}`,
            style,
            'red',
          ),
        ]
      : []),
  ]
}

const noteText = (entry: NoteEntry, style: LogStyle): string =>
  lineOf(entry, [style.paint(entry.event === 'lost' ? 'yellow' : 'cyan', oneLine(entry.text, 300))], style)

const lineOf = (entry: LogEntry, parts: readonly string[], style: LogStyle): string =>
  style.paint('dim', headOf(entry, style)) + parts.join('  ')

/** The time of day, and the workspace when it is not the main one. */
function headOf({ at, workspace }: LogEntry, { width }: LogStyle): string {
  const time = /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? '--:--:--'
  const name = oneLine(workspace, width === undefined ? 100 : 16)
  return workspace === mainName || workspace === '' ? `${time}  ` : `${time}  [${name}]  `
}

const colourOf = (status: number | null): Colour =>
  status === null || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'

const milliseconds = (ms: number): string =>
  ms > 0 && ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`

const widthOf = ({ width = maxWidth }: LogStyle): number => Math.min(maxWidth, Math.max(minWidth, width))

/** A foreign text on one line, cut at this many characters. */
function oneLine(given: string, max: number): string {
  const text = printable(given.slice(0, max)).replaceAll('\n', '\\u000a')
  return given.length > max ? `${text}…` : text
}

/** An address, in this many columns of a terminal. */
function addressOf(path: string, room: number, { width, isVerbose }: LogStyle): string {
  if (isVerbose) return oneLine(path, 8192)
  return width === undefined ? oneLine(path, 300) : fitted(oneLine(path, 2000), room).padEnd(room)
}

/** A path in this many columns: first long identifiers are shortened in the middle, then the end is cut. */
function fitted(path: string, room: number): string {
  if (path.length <= room) return path
  const short = path.replace(/[\w-]{16,}/g, (id) =>
    /\d/.test(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id,
  )
  return short.length <= room ? short : `${short.slice(0, Math.max(1, room - 1))}…`
}

/** A text below its line, broken between words when it is too wide for the terminal. */
function below(given: string, style: LogStyle, colour?: Colour): string {
  const max = style.isVerbose ? 10_000 : maxText
  const text = printable(given.slice(0, max)) + (given.length > max ? '…' : '')
  const lines = text
    .split('\n')
    .flatMap((line) => (style.width === undefined ? [line] : wrapped(line, style)))
  return lines.map((line) => indent + (colour ? style.paint(colour, line) : line)).join('\n')
}

function wrapped(line: string, style: LogStyle): string[] {
  const room = widthOf(style) - indent.length
  const lines: string[] = []
  let rest = line
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room)
    const end = space > room / 2 ? space : room
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}
